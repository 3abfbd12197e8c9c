import { hash } from 'node:crypto'
import { type ChunkValues, chunkRecord, statisticsIn } from '../../plan/source/chunk-record.ts'
import { type ChunkDigest, type ChunkTable, FLAGS, RECORD_BYTES } from '../../plan/source/chunk-table.ts'
import { type FileVersion, isSettled, versionKey } from '../../plan/source/version.ts'
import type { ChunkStatistics } from '../store/chunks.ts'

/** The record that is looked at. */
const RECORD = new Int32Array(RECORD_BYTES / 4)

/** The statistics of chunks as a task, or a statement, uses and finds them. Most tasks find none, and nothing is made for them. */
export function createChunkStatistics(table: ChunkTable): ChunkStatistics {
  let collected: Found | null = null
  return {
    of(chunk, version, type) {
      const flags = table.find(digestOf(chunk, version), RECORD)
      return flags === 0 ? null : statisticsIn(RECORD, flags, type)
    },
    areWanted(chunk, version) {
      if (version !== null && !isSettled(version)) return false
      const digest = digestOf(chunk, version)
      return collected?.digests.has(keyOf(digest)) !== true && table.find(digest, RECORD) === 0
    },
    add(chunk, version, values: ChunkValues) {
      const digest = digestOf(chunk, version)
      collected ??= { digests: new Set(), added: [], retained: [] }
      collected.digests.add(keyOf(digest))
      collected.added.push(chunkRecord(digest, values))
    },
    keep() {
      if (collected !== null) for (const record of collected.added.splice(0)) collected.retained.push(record)
    },
    drop() {
      if (collected !== null) collected = { ...collected, digests: new Set(), added: [] }
    },
    take() {
      if (collected === null || collected.retained.length === 0) return null
      const bytes = new Uint8Array(collected.retained.length * RECORD_BYTES)
      for (const [index, record] of collected.retained.entries()) bytes.set(record, index * RECORD_BYTES)
      // Main adds them when it gets the answer. Should it be late, another unit may find them again.
      collected = null
      return bytes
    },
  }
}

/** What a task has found. */
interface Found {
  /** The digests of the chunks whose records are added or kept. */
  readonly digests: Set<string>
  readonly added: Uint8Array[]
  readonly retained: Uint8Array[]
}

function keyOf({ low, high }: ChunkDigest): string {
  return `${low} ${high}`
}

/** 60 bits of a digest: two chunks have the same one with a probability of 10⁻¹⁸. */
function digestOf(chunk: string, version: FileVersion | null): ChunkDigest {
  const text = `${version === null ? '' : versionKey(version)}\0${chunk}`
  const bytes = hash('sha256', text, 'buffer')
  return { low: bytes.readInt32LE(0), high: bytes.readInt32LE(4) & ~FLAGS }
}
