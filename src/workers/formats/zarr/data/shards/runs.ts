import type { ByteRange } from './shard-index.ts'

/** Bytes that are read at once, and the chunks that lie in them. */
export interface Run<T> extends ByteRange {
  readonly chunks: readonly T[]
}

/** Chunks with at most so many bytes between them are read at once. To read as many takes about as long as another call. */
const MAX_GAP_BYTES = 64 << 10

/** The most bytes that are read at once, unless a single chunk has more. */
const MAX_RUN_BYTES = 8 << 20

/** Chunks in runs, both in the order of their places. */
export function* runsOf<T extends { readonly range: ByteRange }>(chunks: readonly T[]): Generator<Run<T>> {
  const ordered = chunks.toSorted((a, b) => a.range.from - b.range.from)
  let run: { from: number; end: number; chunks: T[] } | null = null
  for (const chunk of ordered) {
    const { from, length } = chunk.range
    const end = from + length
    if (
      run !== null &&
      from - run.end <= MAX_GAP_BYTES &&
      Math.max(end, run.end) - run.from <= MAX_RUN_BYTES
    ) {
      run.end = Math.max(end, run.end)
      run.chunks.push(chunk)
      continue
    }
    if (run !== null) yield { from: run.from, length: run.end - run.from, chunks: run.chunks }
    run = { from, end, chunks: [chunk] }
  }
  if (run !== null) yield { from: run.from, length: run.end - run.from, chunks: run.chunks }
}
