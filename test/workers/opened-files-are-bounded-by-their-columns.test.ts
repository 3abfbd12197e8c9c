import t from 'tap'
import type { FileRef } from '../../src/plan/source/file.ts'
import type { OpenFile } from '../../src/workers/formats/provider.ts'
import { createOpenFiles } from '../../src/workers/state/open-files.ts'
import { PARQUET } from '../formats/product.ts'

function file(number: number): FileRef {
  const version = { device: 1n, inode: BigInt(number), size: 1n, mtimeNs: 1n, ctimeNs: 1n }
  return { path: `${number}`, location: `/${number}`, version }
}

/** How many of 200 files that are opened one after the other are still there, and the last of them. */
function keptOf(keptColumns: number | undefined): readonly [number, boolean] {
  const files = createOpenFiles()
  const opened = { ...(keptColumns !== undefined && { keptColumns }) } as OpenFile
  for (let number = 0; number < 200; number++) files.put(PARQUET, file(number), opened)
  const there = Array.from({ length: 200 }, (_, number) => files.get(PARQUET, file(number)) !== undefined)
  return [there.filter(Boolean).length, there[199] ?? false]
}

t.test('files of few columns are bounded by their number, others by their columns', (t) => {
  t.same(keptOf(undefined), [64, true])
  t.same(keptOf(10), [64, true])
  t.same(keptOf(300), [27, true])
  t.same(keptOf(1_000_000), [4, true], 'the last ones stay, however many columns they have')
  t.end()
})
