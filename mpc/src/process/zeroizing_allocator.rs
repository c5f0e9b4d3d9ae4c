//! An allocator that overwrites what is freed, whoever freed it. Values that are moved and buffers of the protocol
//! crates leave copies of secrets in blocks that nobody else wipes. It knows nothing of stacks.

use std::alloc::{GlobalAlloc, Layout};
use std::arch::asm;

pub struct ZeroizingAllocator<A>(pub A);

// SAFETY: all is handed on to the other allocator; a block is overwritten while it is still the caller's.
unsafe impl<A: GlobalAlloc> GlobalAlloc for ZeroizingAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.0.alloc_zeroed(layout)
    }

    // Without a `realloc` of its own, what grows is copied, and its old block comes here.

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        block.write_bytes(0, layout.size());
        // For all that the compiler knows this reads the block, or it would leave out what is written before a `free`.
        asm!("/* {0} */", in(reg) block, options(readonly, nostack, preserves_flags));
        self.0.dealloc(block, layout);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::alloc::System;
    use std::sync::Mutex;

    /// What each block held when it was freed.
    struct Recording(Mutex<Vec<Vec<u8>>>);

    // SAFETY: as above.
    unsafe impl GlobalAlloc for Recording {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            System.alloc(layout)
        }

        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            self.0.lock().unwrap().push(std::slice::from_raw_parts(block, layout.size()).to_vec());
            System.dealloc(block, layout);
        }
    }

    #[test]
    fn what_is_freed_or_left_behind_by_growing_is_overwritten() {
        let memory = ZeroizingAllocator(Recording(Mutex::new(vec![])));
        let (small, large) = (Layout::array::<u8>(48).unwrap(), Layout::array::<u8>(4096).unwrap());
        // SAFETY: each block is used by its own layout and freed once.
        unsafe {
            let block = memory.alloc(small);
            block.write_bytes(0xa7, small.size());
            let grown = memory.realloc(block, small, large.size());
            assert_eq!(*grown.add(47), 0xa7);
            grown.write_bytes(0xa7, large.size());
            memory.dealloc(grown, large);
        }
        assert_eq!(*memory.0 .0.lock().unwrap(), [vec![0; 48], vec![0; 4096]]);
    }
}
