import t from 'tap'
import { borrowMemory, returnMemory } from '../../src/workers/store/kept-memory.ts'

const MB = 1 << 20

t.test('what is returned is lent again, to one borrower at a time', async (t) => {
  const first = borrowMemory(160_000)
  t.ok(first.length >= 160_000)
  t.equal(first.length, first.buffer.byteLength)
  const { buffer } = first
  t.not(borrowMemory(160_000).buffer, buffer)
  returnMemory(first)
  const again = borrowMemory(159_000)
  t.equal(again.buffer, buffer)
  t.not(borrowMemory(160_000).buffer, buffer)
  t.not(borrowMemory(400_000).buffer, buffer)
  returnMemory(again)
})

t.test('of more than is kept the oldest is freed', async (t) => {
  const lent = Array.from({ length: 20 }, () => borrowMemory(MB))
  for (const memory of lent) returnMemory(memory)
  t.same(
    lent.map((memory) => memory.length > 0),
    lent.map((_, i) => i >= 4),
  )
  const large = borrowMemory(17 * MB)
  returnMemory(large)
  t.equal(large.length, 0)
  t.equal(lent.filter((memory) => memory.length > 0).length, 16)
})

t.test('small memory has the size that is asked for, and is not lent again', async (t) => {
  const small = borrowMemory(20_000)
  t.equal(small.length, 20_000)
  returnMemory(small)
  t.not(borrowMemory(20_000).buffer, small.buffer)
})
