//! Elements from planes of their bytes, 16 at a time, where there are no vectors.

/// Elements of a block.
pub const BLOCK: usize = 16;

macro_rules! interleave {
    ($name:ident, $word:ty, $width:literal) => {
        /// 16 elements of so many bytes.
        pub fn $name(planes: &[&[u8]; $width], block: usize, out: &mut [$word; BLOCK]) {
            for (i, out) in out.iter_mut().enumerate() {
                *out = <$word>::from_le_bytes(planes.map(|plane| plane[block * BLOCK + i]));
            }
        }
    };
}

interleave!(interleave_2, u16, 2);
interleave!(interleave_4, u32, 4);
interleave!(interleave_8, u64, 8);
