import { readFileSync } from 'node:fs'
import { tableFromArrays, tableToIPC } from 'apache-arrow'
import t, { type Test } from 'tap'
import { fixture } from '../formats/fixtures.ts'
import { core, read } from './reading.ts'

/** The end of every test: nothing is left in the core, and the next file can be read. */
function recovered(t: Test): void {
  t.equal(core.usedBytes(), 0)
  t.equal(core.isDead(), false)
  t.same(read(tableToIPC(tableFromArrays({ x: ['ok'] }), 'file')), [['ok']])
}

for (const [name, magic] of [
  ['odd-stream-lz4', [0x04, 0x22, 0x4d, 0x18]],
  ['odd-file-zstd', [0x28, 0xb5, 0x2f, 0xfd]],
] as const)
  t.test(`a compressed buffer that claims what it does not hold (${name})`, async (t) => {
    const bytes = readFileSync(fixture('arrow', name))
    // The length stands before the frame.
    const at = bytes.indexOf(Buffer.from(magic)) - 8
    const size = Number(bytes.readBigInt64LE(at))
    t.ok(size > 0 && size < 4096)
    const claim = (length: bigint): Uint8Array => {
      const copy = Buffer.from(bytes)
      copy.writeBigInt64LE(length, at)
      return copy
    }
    for (const length of [BigInt(size - 1), BigInt(size + 1), 400n << 20n, -2n])
      t.throws(() => read(claim(length)), { code: 'unreadable_file', message: /"x.arrow".*column "/ })
    for (const length of [1n << 30n, 1n << 62n])
      t.throws(() => read(claim(length)), { code: 'memory_limit', message: /"x.arrow".*column "/ })
    t.doesNotThrow(() => read(claim(BigInt(size))))
    recovered(t)
  })

t.test('more rows than the buffers hold', async (t) => {
  const table = tableFromArrays({ number: new Int32Array(1237), text: Array(1237).fill('a') })
  for (const kind of ['file', 'stream'] as const)
    for (const rows of [1300n, 1n << 20n, (1n << 31n) - 1n, 1n << 31n, 1n << 40n, -1n]) {
      const bytes = Buffer.from(tableToIPC(table, kind))
      const old = Buffer.alloc(8)
      old.writeBigInt64LE(1237n)
      // The number of rows stands in the batch and in each of its arrays.
      let count = 0
      for (let at = bytes.indexOf(old); at >= 0; at = bytes.indexOf(old, at + 8), count++)
        bytes.writeBigInt64LE(rows, at)
      t.ok(count >= 3)
      t.throws(() => read(bytes), { code: /unreadable_file|memory_limit/, message: /"x.arrow"/ })
    }
  recovered(t)
})

t.test('a footer that points to one batch many times', async (t) => {
  const bytes = Buffer.from(tableToIPC(tableFromArrays({ x: new Int32Array(10) }), 'file'))
  const length = bytes.readInt32LE(bytes.length - 10)
  const footer = bytes.subarray(-10 - length, -10)
  // The vector of blocks is the last that the footer's root refers to. A copy of it is appended, with more elements.
  const root = footer.readUInt32LE(0)
  const slot = footer.readUInt16LE(root - footer.readInt32LE(root) + 4 + 2 * 3)
  const vector = root + slot + footer.readUInt32LE(root + slot)
  const block = footer.subarray(vector + 4, vector + 28)
  const count = 400_000
  const head = Buffer.from(footer)
  head.writeUInt32LE(footer.length - root - slot, root + slot)
  const blocks = Buffer.concat([Buffer.alloc(4), Buffer.concat(Array(count).fill(block))])
  blocks.writeUInt32LE(count, 0)
  const trailer = Buffer.from('....ARROW1')
  trailer.writeUInt32LE(head.length + blocks.length, 0)
  const bomb = Buffer.concat([bytes.subarray(0, -10 - length), head, blocks, trailer])
  t.throws(() => read(bomb), { code: 'unreadable_file', message: /"x.arrow".*more than once/ })
  recovered(t)
})
