import type { Part } from '../../../../plan/task/part.ts'
import { payloadAs } from '../../../../plan/task/part.ts'
import type { TempFile } from '../../temp/temp-file.ts'
import type { TempFolder } from '../../temp/temp-folder.ts'

/** Rows that wait in their order, in memory up to a limit and the others in a temporary file. */
export interface WaitingRuns {
  readonly length: number
  push(parts: readonly Part[]): Promise<void>
  /** The rows that have waited longest. Rejects with a `RangeError` if there are none. */
  shift(): Promise<readonly Part[]>
  /** Closes the file. To be called in any case. */
  close(): Promise<void>
}

/** A part, or where its bytes are in the file. */
type Waiting = readonly {
  readonly part: Part
  readonly store: { readonly at: number; readonly bytes: number } | null
}[]

/** `memoryBytes`: the most bytes of the rows that are in memory. */
export function createWaitingRuns(folder: TempFolder, memoryBytes: number): WaitingRuns {
  const runs: Waiting[] = []
  let file: TempFile | null = null
  let inMemory = 0

  async function store(part: Part): Promise<Waiting[number]> {
    const { kind, bytes, metadataBytes, dictionaries } = payloadAs(part, 'arrow')
    if (inMemory + bytes.byteLength <= memoryBytes) {
      inMemory += bytes.byteLength
      return { part, store: null }
    }
    file ??= await folder.open()
    const at = file.size
    await file.write(new Uint8Array(bytes))
    const empty = { kind, bytes: new ArrayBuffer(0), metadataBytes, dictionaries }
    return { part: { ...part, payload: empty }, store: { at, bytes: bytes.byteLength } }
  }

  async function restore({ part, store }: Waiting[number]): Promise<Part> {
    const payload = payloadAs(part, 'arrow')
    if (store === null || file === null) {
      inMemory -= payload.bytes.byteLength
      return part
    }
    return { ...part, payload: { ...payload, bytes: await file.readAt(store.at, store.bytes) } }
  }

  async function close(): Promise<void> {
    await file?.discard()
    file = null
  }

  return {
    get length() {
      return runs.length
    },
    async push(parts) {
      const run: Waiting[number][] = []
      for (const part of parts) run.push(await store(part))
      runs.push(run)
    },
    async shift() {
      const run = runs.shift()
      if (run === undefined) throw new RangeError('no run is waiting')
      const parts: Part[] = []
      for (const part of run) parts.push(await restore(part))
      // Nothing of the file is needed any more: the next station has a new one.
      if (runs.length === 0) await close()
      return parts
    },
    close,
  }
}
