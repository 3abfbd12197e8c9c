import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'

const core = createCore({ maximumBytes: 512 << 20 })

/** Definition levels: one run of ones. */
function present(rows: number): Buffer {
  const levels: number[] = []
  for (let left = 2 * rows; ; left = Math.floor(left / 128)) {
    levels.push((left % 128) + (left < 128 ? 0 : 128))
    if (left < 128) return Buffer.from([...levels, 1])
  }
}

t.test('however many it claims: addresses have 32 bits', async (t) => {
  for (const width of [4, 8] as const)
    for (const skip of [0, 1, 10, 11, 2 ** 29, 2 ** 30]) {
      const levels = present(skip + 10)
      const column = () =>
        core.flatColumn({
          isOptional: true,
          stored: width,
          read: 'same',
          parameter: 0,
          rows: 10,
          dictionary: null,
          pages: [
            {
              kind: 'encoded',
              bytes: Buffer.concat([levels, Buffer.alloc(20 * width)]),
              levelBytes: levels.length,
              encoding: 0,
              codec: 0,
              size: levels.length + 20 * width,
              rows: skip + 10,
              skip,
              take: 10,
            },
          ],
        })
      if (skip <= 10) core.free(column())
      else t.throws(column, { code: 'unreadable_file' }, `${width} bytes, ${skip} rows`)
    }
  t.equal(core.usedBytes(), 0)
})
