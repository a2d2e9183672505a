// Retrograde analysis in one plain file, to measure against: the same algorithm, written as one
// would. Arguments: vertices, edges, seed, rounds. Prints the shortest processor times in seconds for
// reversing the edges and for solving, the number of wins, draws and losses, and the sum of plies.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

// Processor time, so that other programs do not count.
static double now() { return (double)clock() / CLOCKS_PER_SEC; }

int main(int, char **argv) {
    const uint32_t n = strtoul(argv[1], 0, 10), m = strtoul(argv[2], 0, 10);
    const uint64_t seed = strtoull(argv[3], 0, 10);
    const int rounds = atoi(argv[4]);
    const uint32_t movers = n / 20 * 19;

    // Rows of the moves; every twentieth vertex is a sink.
    std::vector<uint32_t> offsets(n + 1), targets(m);
    auto mover = [](uint32_t i) { return i + i / 19 + 1; };
    for (uint32_t e = 0; e < m; e++) offsets[mover(e % movers) + 1]++;
    for (uint32_t v = 0; v < n; v++) offsets[v + 1] += offsets[v];
    {
        std::vector<uint32_t> at(offsets.begin(), offsets.end() - 1);
        for (uint32_t e = 0; e < m; e++)
            targets[at[mover(e % movers)]++] = (mix(seed + e) >> 32) * (uint64_t)n >> 32;
    }

    double best_reverse = 1e9, best_solve = 1e9;
    uint64_t counts[3] = {0, 0, 0}, sum = 0;
    for (int round = 0; round < rounds; round++) {
        double start = now();
        std::vector<uint32_t> first(n + 1), sources(m);
        for (uint32_t t : targets) first[t + 1]++;
        for (uint32_t v = 0; v < n; v++) first[v + 1] += first[v];
        {
            std::vector<uint32_t> at(first.begin(), first.end() - 1);
            for (uint32_t v = 0; v < n; v++)
                for (uint32_t i = offsets[v]; i < offsets[v + 1]; i++) sources[at[targets[i]]++] = v;
        }
        double middle = now();
        enum : uint8_t { DRAW, WIN, LOSS };
        std::vector<uint8_t> value(n, DRAW);
        std::vector<uint32_t> left(n), plies(n), queue;
        queue.reserve(n);
        for (uint32_t v = 0; v < n; v++) {
            left[v] = offsets[v + 1] - offsets[v];
            if (left[v] == 0) {
                value[v] = LOSS;
                queue.push_back(v);
            }
        }
        for (size_t i = 0; i < queue.size(); i++) {
            uint32_t v = queue[i];
            for (uint32_t j = first[v]; j < first[v + 1]; j++) {
                uint32_t u = sources[j];
                if (value[u] != DRAW) continue;
                if (value[v] == LOSS) {
                    value[u] = WIN;
                } else if (--left[u] == 0) {
                    value[u] = LOSS;
                } else {
                    continue;
                }
                plies[u] = plies[v] + 1;
                queue.push_back(u);
            }
        }
        double end = now();
        if (middle - start < best_reverse) best_reverse = middle - start;
        if (end - middle < best_solve) best_solve = end - middle;
        counts[0] = counts[1] = counts[2] = sum = 0;
        for (uint32_t v = 0; v < n; v++) counts[value[v]]++, sum += plies[v];
    }
    printf("%f %f %llu %llu %llu %llu\n", best_reverse, best_solve, (unsigned long long)counts[1],
           (unsigned long long)counts[0], (unsigned long long)counts[2], (unsigned long long)sum);
}
