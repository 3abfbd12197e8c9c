//! How the linear memory grows.

const PAGE_BYTES: usize = 1 << 16;

/// The least and the greatest step, in pages: 1 MiB and 64 MiB.
const LEAST: usize = 16;
const MOST: usize = 1024;

/// Has the memory grow in steps of an eighth of its size.
///
/// The allocator asks for as many pages as it needs, often one. Each time, JavaScript gets a new `ArrayBuffer` of the whole memory, by whose
/// size it decides when to collect garbage: 10 000 small columns made it collect all the time. Pages that nothing has touched take no
/// memory of the machine.
#[derive(Default)]
pub struct Growth {
    /// The size of the memory after the last step, in pages.
    pages: usize,
}

impl Growth {
    /// No step yet.
    pub const fn new() -> Self {
        Growth { pages: 0 }
    }

    /// To be called now and then: if the memory has grown since the last call, it grows by a step more, if it may.
    #[inline]
    pub fn advance(&mut self) {
        if memory_pages() != self.pages {
            self.step();
        }
    }

    #[cold]
    fn step(&mut self) {
        let step = (memory_pages() / 8).clamp(LEAST, MOST);
        let mut ahead = Vec::<u8>::new();
        // The allocator keeps what is freed. At the limit of the memory nothing happens.
        if self.pages > 0 && ahead.try_reserve_exact(step * PAGE_BYTES).is_ok() {
            std::hint::black_box(&mut ahead);
        }
        drop(ahead);
        self.pages = memory_pages();
    }
}

#[cfg(target_arch = "wasm32")]
fn memory_pages() -> usize {
    core::arch::wasm32::memory_size(0)
}

/// Outside of WebAssembly the memory does not grow.
#[cfg(not(target_arch = "wasm32"))]
fn memory_pages() -> usize {
    0
}
