import type { WholeColumns } from '../../plan/source/whole.ts'
import type { Instance } from './instance.ts'

/** A flat column of small Parquet files, as their footers tell of it. */
export interface SummaryColumn {
  /** The number of its physical type in Parquet. */
  readonly physical: number
  readonly isOptional: boolean
  /** Bits of a value in an array. Null: it is a text, or bytes. */
  readonly bits: number | null
  /** How bounds are stored; `days` become milliseconds. Null: they are left out. */
  readonly bounds: SummaryBounds | null
}

export type SummaryBounds = keyof typeof BOUNDS

const BOUNDS = Object.freeze({ i32: 1, u32: 2, i64: 3, u64: 4, f32: 5, f64: 6, days: 7 })

/** What a footer says of a file with one row group. */
interface FooterSummary {
  readonly rows: number
  /** Bytes of each column when decoded, as estimated, and in the file. */
  readonly decodedBytes: readonly number[]
  readonly storedBytes: readonly number[]
  readonly whole: WholeColumns
}

/** Tells what footers of small files say that are laid out alike (`summary.rs`). */
export interface ParquetSummaries extends Disposable {
  /**
   * Of the footer of a file of so many bytes. Null: the file is laid out in another way, has several row groups or none, or is not what it
   * says, so that it has to be inspected by itself.
   */
  of(footer: Uint8Array, fileBytes: number): FooterSummary | null
}

/** In place of the bits of a value. */
const TEXT = 0xffff_ffff

const NUMBER_BYTES = 8

/** Of files that are laid out as the one with a footer. Null: that has another form. */
export function parquetSummaries(
  instance: Instance,
  footer: Uint8Array,
  columns: readonly SummaryColumn[],
): ParquetSummaries | null {
  const words = columns.flatMap(({ physical, isOptional, bits, bounds }) => [
    physical,
    isOptional ? 1 : 0,
    bits ?? TEXT,
    bounds === null ? 0 : BOUNDS[bounds],
  ])
  const header = new Uint8Array(Uint32Array.of(columns.length, ...words).buffer)
  instance.setArguments(Buffer.concat([header, footer]))
  const summaries = instance.call('summary_new')
  if (summaries === 0) return null
  const { length } = columns
  return {
    of(bytes, fileBytes) {
      instance.call('summary_room', summaries, bytes.length)
      instance.bytes(instance.result(0), bytes.length).set(bytes)
      if (instance.call('summary_read', summaries, fileBytes) === 0) return null
      const content = instance.bytes(instance.result(0), instance.result(1))
      const view = new DataView(content.buffer, content.byteOffset, content.length)
      const numbers = (first: number): number[] => {
        const all: number[] = []
        for (let at = first; at < first + length; at++) all.push(view.getFloat64(at * NUMBER_BYTES, true))
        return all
      }
      return {
        rows: view.getFloat64(0, true),
        decodedBytes: numbers(1),
        storedBytes: numbers(1 + length),
        whole: content.slice((1 + 2 * length) * NUMBER_BYTES),
      }
    },
    [Symbol.dispose]() {
      if (!instance.isDead()) instance.call('summary_free', summaries)
    },
  }
}
