import t from 'tap'
import { type TextStorage, textsOf } from '../../src/workers/formats/hdf5/data/texts.ts'

const NOTHING = (): Uint8Array => Buffer.alloc(0)
const NO_HEAP = { elementBytes: 16, text: NOTHING, values: NOTHING }

/** Texts of six bytes, and what h5py 3.16 reads of them. */
const TEXTS: readonly (readonly [stored: string, Readonly<Record<Exclude<TextStorage, 'heap'>, string>>])[] =
  [
    ['ab\0\0\0\0', { ends_at_zero: 'ab', padded_with_zeros: 'ab', padded_with_spaces: 'ab' }],
    ['ab    ', { ends_at_zero: 'ab    ', padded_with_zeros: 'ab    ', padded_with_spaces: 'ab' }],
    ['ab  \0\0', { ends_at_zero: 'ab  ', padded_with_zeros: 'ab  ', padded_with_spaces: 'ab  ' }],
    ['a\0b\0\0\0', { ends_at_zero: 'a', padded_with_zeros: 'a\0b', padded_with_spaces: 'a\0b' }],
    ['\0\0\0\0\0\0', { ends_at_zero: '', padded_with_zeros: '', padded_with_spaces: '' }],
    ['abcdef', { ends_at_zero: 'abcdef', padded_with_zeros: 'abcdef', padded_with_spaces: 'abcdef' }],
  ]

for (const storage of ['ends_at_zero', 'padded_with_zeros', 'padded_with_spaces'] as const)
  t.test(storage, async (t) => {
    const stored = Buffer.from(TEXTS.map(([text]) => text).join(''))
    const elements = { storage, stride: 6, offset: 0, valueBytes: 6 }
    const { offsets, bytes } = textsOf(stored, elements, NO_HEAP)
    const texts = TEXTS.map((_, index) =>
      Buffer.from(bytes.subarray(offsets[index], offsets[index + 1])).toString(),
    )
    t.strictSame(
      texts,
      TEXTS.map(([, expected]) => expected[storage]),
    )
  })
