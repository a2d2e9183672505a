//! wip
mod network;
mod problem;
mod random;
mod search;
use network::{Network, Replacement};
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let seed: u64 = a[1].parse().unwrap();
    let secs: u64 = a[2].parse().unwrap();
    let heat: u64 = a[3].parse().unwrap();
    let slack: usize = a[4].parse().unwrap();
    let out = &a[5];
    let problem = problem::Problem::new();
    let mut net = if a.len() > 6 { load(&a[6]) } else {
        Network { gates: crownhead_tictactoe::MODIFIED.gates.to_vec(), outputs: crownhead_tictactoe::MODIFIED.outputs }
    };
    net = net.with(usize::MAX, Replacement::Constant(false)).unwrap();
    let mut s = search::Search::new(&problem, net, seed);
    println!("start {} wrong {}", s.network.gates.len(), s.wrong());
    let t = Instant::now();
    let mut best = s.network.clone();
    let mut n = 0u64;
    let mut last = 0;
    while t.elapsed().as_secs() < secs {
        for _ in 0..100 { s.step(); n += 1;
            if s.network.gates.len() < best.gates.len() {
                best = s.network.clone(); assert_eq!(s.wrong(), 0);
            }
            s.limit = best.gates.len() + slack;
        }
        s.heat = heat;
        if t.elapsed().as_secs() / 10 > last { last = t.elapsed().as_secs() / 10; println!("{}s {} steps: now {} best {}", last * 10, n, s.network.gates.len(), best.gates.len()); save(out, &best); }
    }
    save(out, &best);
    println!("end {n} steps best {}", best.gates.len());
}
use crownhead_tictactoe::{Gate, Op};
fn save(path: &str, net: &Network) {
    let mut s = String::new();
    for g in &net.gates { s += &format!("{} {} {}\n", Op::ALL.iter().position(|&o| o == g.op).unwrap(), g.a, g.b); }
    s += &net.outputs.map(|o| o.to_string()).join(" ");
    std::fs::write(path, s).unwrap();
}
fn load(path: &str) -> Network {
    let t = std::fs::read_to_string(path).unwrap();
    let mut gates = vec![]; let mut outputs = [0; 9];
    for l in t.lines() { let v: Vec<u16> = l.split(' ').map(|x| x.parse().unwrap()).collect();
        if v.len() == 3 { gates.push(Gate { op: Op::ALL[v[0] as usize], a: v[1], b: v[2] }) } else { outputs.copy_from_slice(&v) } }
    Network { gates, outputs }
}
