import { crc32 } from 'node:zlib'
import type { SqliteDatabase } from '../../sqlite/open-database.ts'
import {
  FILE_STATES,
  type FileOutcome,
  type FileSegment,
  type FileState,
  type PendingFile,
  type RegisteredFile,
  SEGMENT_IDS,
  type WalkedFiles,
} from '../file-registry.ts'

/** The files of the registry (file-registry.ts), as the thread has them. Functions throw SQLite's errors. */
export interface RegistryTable {
  hasFiles(argument: null): boolean
  beginRun(run: { readonly prefix: string; readonly isForced: boolean }): void
  registerFiles(files: WalkedFiles): { readonly discovered: number; readonly requeued: number }
  takePending(asked: { readonly after: number; readonly most: number }): readonly PendingFile[]
  settleFiles(outcomes: readonly FileOutcome[]): void
  endRun(run: { readonly hasMetAll: boolean }): { readonly segments: number; readonly pending: number }
  listFiles(asked: { readonly after: number; readonly most: number }): readonly RegisteredFile[]
  listSegments(argument: null): readonly FileSegment[]
  findFiles(paths: readonly string[]): readonly (RegisteredFile | null)[]
}

/** A row of the table `walked`. */
interface Row {
  readonly id: number
  readonly path: string
  readonly location: string
  readonly format: string
  readonly version: string
  readonly state: number
  readonly columns: number | null
  readonly rows: number | null
  readonly bytes: number | null
  readonly epoch: number | null
}

type StoredRow = Row & { readonly checksum: number }

interface Run {
  readonly epoch: number
  readonly prefix: string
  readonly isForced: boolean
  /** Whether the file with an id was met. */
  met: Uint8Array
}

const STATE = Object.freeze(
  Object.fromEntries(FILE_STATES.map((state, index) => [state, index])),
) as Readonly<Record<FileState, number>>

/** `mostFiles`: those beyond are not registered. */
export function createRegistryTable(database: SqliteDatabase, mostFiles: number): RegistryTable {
  const byPath = database.prepare<[string], StoredRow>('SELECT * FROM walked WHERE path = ?')
  const byId = database.prepare<[number], StoredRow>('SELECT * FROM walked WHERE id = ?')
  const from = database.prepare<[number, number], StoredRow>(
    'SELECT * FROM walked WHERE id > ? ORDER BY id LIMIT ?',
  )
  const waiting = database.prepare<[number], StoredRow>(
    `SELECT * FROM walked WHERE id > ? AND state IN (${STATE.Pending}, ${STATE.Stale}) ORDER BY id`,
  )
  const inFolder = database
    .prepare<[string, string, string], number>(
      "SELECT id FROM walked WHERE ? = '' OR (path >= ? AND path < ?)",
    )
    .pluck()
  const put = database.prepare<[StoredRow]>(
    `INSERT OR REPLACE INTO walked VALUES
    (@id, @path, @location, @format, @version, @state, @columns, @rows, @bytes, @epoch, @checksum)`,
  )
  const remove = database.prepare<[number]>('DELETE FROM walked WHERE id = ?')
  const segments = database.prepare<[], FileSegment>(
    `SELECT (id - 1) / ${SEGMENT_IDS} AS seq, min(id) AS minId, max(id) AS maxId, count(*) AS files,
      coalesce(max(columns), 0) AS columns
    FROM walked WHERE state = ${STATE.Analyzed} GROUP BY seq ORDER BY seq`,
  )
  const numberOf = (sql: string): number => Number(database.prepare(sql).pluck().get())
  let count = numberOf('SELECT count(*) FROM walked')
  let lastId = numberOf('SELECT coalesce(max(id), 0) FROM walked')
  let run: Run | null = null

  function write(row: Row): void {
    put.run({ ...row, checksum: checksumOf(row) })
  }

  function isMet({ met }: Run, id: number): boolean {
    return id < met.length && met[id] === 1
  }

  function meet(of: Run, id: number): void {
    if (id >= of.met.length) {
      const longer = new Uint8Array(Math.max(id + 1, 2 * of.met.length))
      longer.set(of.met)
      of.met = longer
    }
    of.met[id] = 1
  }

  function runNow(): Run {
    if (run === null) throw new TypeError('no run over the files of the root goes on')
    return run
  }

  const register = database.transaction((files: WalkedFiles) => {
    const of = runNow()
    let [discovered, requeued] = [0, 0]
    for (const [index, path] of files.paths.entries()) {
      const location = files.locations[index] ?? ''
      const format = files.formats[index] ?? ''
      const version = files.versions[index] ?? ''
      const row = byPath.get(path)
      if (row === undefined) {
        if (count >= mostFiles) continue
        count++
        discovered++
        const id = ++lastId
        const nothing = { columns: null, rows: null, bytes: null, epoch: null }
        write({ id, path, location, format, version, state: STATE.Pending, ...nothing })
        meet(of, id)
        continue
      }
      meet(of, row.id)
      const isSound = row.checksum === checksumOf(row)
      const isSame = row.version === version && row.location === location && row.format === format
      const isWaiting = row.state === STATE.Pending || row.state === STATE.Stale
      const mayStay = isWaiting || (!of.isForced && row.state !== STATE.Deleted)
      if (isSound && isSame && mayStay) continue
      if (!isWaiting) requeued++
      const state = row.state === STATE.Pending ? STATE.Pending : STATE.Stale
      write({ ...row, location, format, version, state })
    }
    return { discovered, requeued }
  })

  const settle = database.transaction((outcomes: readonly FileOutcome[]) => {
    const { epoch } = runNow()
    for (const { id, state, columns, rows, bytes } of outcomes) {
      const row = byId.get(id)
      if (row !== undefined) write({ ...row, state: STATE[state], columns, rows, bytes, epoch })
    }
  })

  /** Files of the run's folder that it has not met are deleted; those that were deleted before are no longer listed. */
  const deleteUnmet = database.transaction((of: Run) => {
    const { prefix } = of
    // `0` is the character behind the slash.
    const unmet: number[] = []
    for (const id of inFolder.iterate(prefix, `${prefix}/`, `${prefix}0`)) if (!isMet(of, id)) unmet.push(id)
    for (const id of unmet) {
      const row = byId.get(id)
      if (row === undefined) continue
      if (row.state === STATE.Deleted) {
        remove.run(row.id)
        count--
      } else write({ ...row, state: STATE.Deleted })
    }
  })

  const begin = database.transaction((prefix: string, isForced: boolean) => {
    const epoch = numberOf('SELECT coalesce(max(epoch), 0) FROM last_run') + 1
    database.exec('DELETE FROM last_run')
    database.prepare<[number]>('INSERT INTO last_run (epoch) VALUES (?)').run(epoch)
    run = { epoch, prefix, isForced, met: new Uint8Array(lastId + 1024) }
  })

  return {
    hasFiles: () => count > 0,
    beginRun: ({ prefix, isForced }) => begin.immediate(prefix, isForced),
    registerFiles: (files) => register.immediate(files),
    takePending({ after, most }) {
      const of = runNow()
      const pending: PendingFile[] = []
      for (const row of waiting.iterate(after)) {
        if (!isMet(of, row.id)) continue
        const { id, path, location, version } = row
        pending.push({ id, path, location, version })
        if (pending.length === most) break
      }
      return pending
    },
    settleFiles: (outcomes) => settle.immediate(outcomes),
    endRun({ hasMetAll }) {
      const of = runNow()
      if (hasMetAll) deleteUnmet.immediate(of)
      run = null
      let pending = 0
      for (const { id } of waiting.iterate(0)) if (isMet(of, id)) pending++
      return { segments: segments.all().length, pending }
    },
    listFiles: ({ after, most }) => from.all(after, most).map(registeredFile),
    listSegments: () => segments.all(),
    findFiles: (paths) =>
      paths.map((path) => {
        const row = byPath.get(path)
        return row === undefined ? null : registeredFile(row)
      }),
  }
}

/** A row that is not as it was written waits again, as the next run finds too. */
function registeredFile(row: StoredRow): RegisteredFile {
  const { id, path, format, version } = row
  if (row.checksum !== checksumOf(row))
    return { id, path, state: 'Stale', format, version, columns: null, rows: null, bytes: null, epoch: null }
  const { columns, rows, bytes, epoch } = row
  return { id, path, state: FILE_STATES[row.state] ?? 'Stale', format, version, columns, rows, bytes, epoch }
}

function checksumOf({
  id,
  path,
  location,
  format,
  version,
  state,
  columns,
  rows,
  bytes,
  epoch,
}: Row): number {
  return crc32(JSON.stringify([id, path, location, format, version, state, columns, rows, bytes, epoch]))
}
