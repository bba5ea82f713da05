//! The `offprint` program.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    use_small_pages();
    offprint::cli::run_program(std::env::args_os())
}

/// Allocates memory in pages of 4 kB. In huge ones most of what a server of ten thousand pages holds is
/// unused (35 MB instead of 17), and so is two fifths of what an export takes; neither gets faster by them.
#[cfg(target_os = "linux")]
fn use_small_pages() {
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

#[cfg(not(target_os = "linux"))]
fn use_small_pages() {}
