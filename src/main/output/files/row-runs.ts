import { lastAtMost } from '../../../plan/binary-search.ts'
import { type Part, type PartDictionary, payloadAs } from '../../../plan/task/part.ts'

/** Rows that become bytes of a file in one task: `rows` of those of the parts, from row `from` on. */
export interface RowRun {
  readonly parts: readonly Part[]
  readonly from: number
  readonly rows: number
  /** The memory of the parts. */
  readonly bytes: number
}

/** How much a run has at most: rows, and bytes of their values. A row that has more bytes by itself is a run. */
export interface RunLimits {
  readonly rows: number
  readonly bytes: number
}

/** Cuts the rows of parts into runs. */
export interface RowRuns {
  /** The memory of the parts that are held for the next run. */
  readonly bytes: number
  /** Takes a part over, and returns the runs that are complete with it. */
  add(part: Part): readonly RowRun[]
  /** The rows that are left. Null: there are none. */
  rest(): RowRun | null
}

/** Runs depend on the rows alone, and not on how these are cut into parts. */
export function createRowRuns(limits: RunLimits): RowRuns {
  let parts: Part[] = []
  let from = 0
  let rows = 0
  let valueBytes = 0
  let memory = 0
  /** Dictionaries that are held: one buffer for each, because parts of several answers have copies of their own. */
  let dictionaries = new Map<string, PartDictionary>()

  /** The run of what is held. */
  function taken(): RowRun {
    const run = { parts, from, rows, bytes: memory }
    parts = []
    dictionaries = new Map()
    from = rows = valueBytes = memory = 0
    return run
  }

  function hold(part: Part): void {
    const { kind, bytes, metadataBytes, dictionaries: partDictionaries } = payloadAs(part, 'arrow')
    const shared = partDictionaries.map((each) => {
      const key = `${each.id} ${each.key}`
      const sharedDictionary = dictionaries.get(key)
      if (sharedDictionary !== undefined) return sharedDictionary
      dictionaries.set(key, each)
      memory += each.bytes.byteLength
      return each
    })
    memory += bytes.byteLength
    parts.push({ ...part, payload: { kind, bytes, metadataBytes, dictionaries: shared } })
  }

  return {
    get bytes() {
      return memory
    },
    add(part) {
      const complete: RowRun[] = []
      const bytesBefore = bytesOfRows(part)
      let at = 0
      hold(part)
      while (at < part.rows) {
        const count = countFitting(bytesBefore, at, part.rows, {
          rows: limits.rows - rows,
          bytes: limits.bytes - valueBytes,
        })
        const isFull = count < part.rows - at || rows + count === limits.rows
        const taking = count === 0 && rows === 0 ? 1 : count
        rows += taking
        valueBytes += bytesBefore(at + taking) - bytesBefore(at)
        at += taking
        if (!isFull) continue
        const run = taken()
        if (at < part.rows) {
          // The bytes of a run leave with it.
          complete.push(withCopyOfLast(run))
          hold(part)
          from = at
        } else complete.push(run)
      }
      return complete
    },
    rest: () => (rows === 0 ? null : taken()),
  }
}

/** The most rows from row `at` on that are within the limits. */
function countFitting(
  bytesBefore: (row: number) => number,
  at: number,
  end: number,
  { rows, bytes }: RunLimits,
): number {
  const most = bytesBefore(at) + bytes
  const count = Math.min(end - at, rows)
  return lastAtMost(count + 1, (taken) => bytesBefore(at + taken), most)
}

/** The bytes of the values in the first rows of a part. */
function bytesOfRows(part: Part): (rows: number) => number {
  const { bytes } = payloadAs(part, 'arrow')
  return (rows) => (bytes.byteLength * rows) / Math.max(1, part.rows)
}

function withCopyOfLast(run: RowRun): RowRun {
  const last = run.parts.at(-1)
  if (last === undefined) return run
  const payload = payloadAs(last, 'arrow')
  return {
    ...run,
    parts: [...run.parts.slice(0, -1), { ...last, payload: { ...payload, bytes: payload.bytes.slice(0) } }],
  }
}
