use semihosting::fs::File;
use semihosting::io::{Read, Stdout, Write, stdout};
use semihosting::process;

/// The emulator's standard input and output, through the debugger's calls.
pub(super) struct Port {
    input: Option<File>,
    output: Option<Stdout>,
    buffer: [u8; 32],
    filled: usize,
    taken: usize,
}

impl Port {
    pub(super) fn open() -> Self {
        Self {
            // The semihosting console waits for ever after the end of its input; a file ends.
            input: File::open(c"/dev/stdin").ok(),
            output: stdout().ok(),
            buffer: [0; 32],
            filled: 0,
            taken: 0,
        }
    }

    pub(super) fn read(&mut self) -> Option<u8> {
        if self.taken == self.filled {
            self.taken = 0;
            self.filled = self.input.as_mut()?.read(&mut self.buffer).unwrap_or(0);
        }
        let byte = self.buffer[..self.filled].get(self.taken).copied();
        self.taken += 1;
        byte
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        if let Some(output) = &mut self.output {
            // There is nobody to tell when the console cannot be written.
            let _ = output.write_all(bytes);
        }
    }

    pub(super) fn end(self, status: i32) -> ! {
        process::exit(status)
    }
}
