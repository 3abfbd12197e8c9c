import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { arrayPython } from '../../input/array-python.ts'
import { FOLDER, source } from '../../input/files/sources.ts'
import { type LinePeer, startLinePeer } from '../../input/line-peer.ts'
import { timed } from '../../report/statistics.ts'
import { save } from '../../service/save.ts'
import { type Service, withService } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { figuresOfTurns } from '../peer-turns.ts'
import { ASKED, FILE_BYTES, type FileKey, NUMBERS, requestsFor, statement } from './asked.ts'
import { nativeFiles } from './native-files.ts'

/** At most so many rounds: a file takes seconds. */
const ROUNDS = 3

export const PARQUET = 'FORMAT parquet, COMPRESSION zstd'

/** Another program that writes the same file. */
interface Writer {
  readonly name: string
  /** Milliseconds. */
  write(path: string): Promise<number>
}

/** What writers and comparisons need. */
interface Place {
  readonly root: string
  /** Below the root: for files that are read afterwards by the service, too. */
  readonly folder: string
  readonly service: Service
}

/** Runs `use` with a service of two workers that keeps nothing, and a folder for files below the dataset root. */
export async function withPlace<T>(
  scratch: string,
  root: string,
  name: string,
  use: (place: Place) => Promise<T>,
): Promise<T> {
  const folder = join(root, FOLDER, 'written')
  mkdirSync(folder, { recursive: true })
  const dataDir = join(scratch, `files-${name}`)
  const options = {
    dataDir,
    datasetsDir: root,
    workers: 2,
    keepsColumns: false,
    asksAnew: true,
    fileBytes: FILE_BYTES,
  }
  try {
    return await withService(options, async (service) => {
      await service.ready()
      return use({ root, folder, service })
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The times of a file by the service and by another program, by turns, after a round that is not timed, in which the files are compared.
 * `null` as writer: this Python lacks what it takes, and the service is timed alone.
 */
async function turns(
  { root, folder, service }: Place,
  key: FileKey,
  name: string,
  writer: Writer | null,
  compare: (ours: string, theirs: string) => Promise<void>,
  rounds: number,
): Promise<{ readonly figures: Figure[]; readonly bytes: number; readonly peerBytes: number }> {
  const { file } = await requestsFor(root, key)
  const [ours, theirs] = [
    join(folder, `ours.${extensionOf(key)}`),
    join(folder, `theirs.${extensionOf(key)}`),
  ]
  await save(service.port, file, ours)
  if (writer !== null) {
    await writer.write(theirs)
    await compare(ours, theirs)
  }
  const times = { service: [] as number[], peer: [] as number[] }
  for (let round = 0; round < Math.min(rounds, ROUNDS); round++) {
    times.service.push(await timed(() => service.drain(file)))
    if (writer !== null) times.peer.push(await writer.write(theirs))
  }
  return {
    figures: figuresOfTurns(name, ASKED[key].what, writer, times),
    bytes: statSync(ours).size,
    peerBytes: writer === null ? Number.NaN : statSync(theirs).size,
  }
}

/** Parquet beside COPY of both DuckDBs, and the sizes. */
export function parquet(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  return withPlace(scratch, root, 'parquet', async (place) => {
    const native = await nativeFiles(scratch)
    const python = await startPeer('copy')
    try {
      const sql = await nativeStatement(root, 'parquet')
      const npm: Writer = { name: native.name, write: (path) => native.copy(sql, path, PARQUET) }
      const first = await turns(place, 'parquet', 'files_parquet', npm, native.compare, rounds)
      const pypi = python && {
        name: python.name,
        write: (path: string) => ask(python, { do: 'copy', sql: `COPY (${sql}) TO '${path}' (${PARQUET})` }),
      }
      const second = await turns(place, 'parquet', 'files_parquet_pypi', pypi, native.compare, rounds)
      const what = `its size (${(first.bytes / 1e6).toFixed(0)} MB), against ${native.name}`
      const value = first.bytes / first.peerBytes
      return [...first.figures, ...second.figures, { key: 'files_parquet_size', what, value, unit: '×' }]
    } finally {
      native.close()
      python?.close()
    }
  })
}

/** A sorted file beside DuckDB with 500 MB, and CSV beside DuckDB. */
export function copied(
  scratch: string,
  root: string,
  rounds: number,
  key: 'ordered' | 'csv',
): Promise<Figure[]> {
  return withPlace(scratch, root, key, async (place) => {
    const native = await nativeFiles(scratch, key === 'ordered' ? '500MB' : undefined)
    const judge = await nativeFiles(scratch)
    try {
      const sql = await nativeStatement(root, key)
      const form = key === 'csv' ? 'FORMAT csv, HEADER' : PARQUET
      const writer: Writer = { name: native.name, write: (path) => native.copy(sql, path, form) }
      const compare = async (ours: string, theirs: string) => {
        await judge.compare(ours, theirs)
        if (key === 'ordered') await judge.requireOrdered(ours)
      }
      return (await turns(place, key, `files_${key}`, writer, compare, rounds)).figures
    } finally {
      native.close()
      judge.close()
    }
  })
}

/** A file beside Python. */
export function byPython(
  scratch: string,
  root: string,
  rounds: number,
  key: 'netcdf' | 'grid' | 'odv',
): Promise<Figure[]> {
  return withPlace(scratch, root, key, async (place) => {
    const python = await startPeer(key)
    try {
      const from = join(root, await source(root, ASKED[key].source))
      const asked = { do: key, from, columns: NUMBERS, order: ['station', 'time', 'depth'] }
      const writer = python && {
        name: python.name,
        write: (to: string) => ask(python, { ...asked, to }),
      }
      const compare = async (ours: string, theirs: string) => {
        const script = join(import.meta.dirname, '../../input/files/compare_files.py')
        execFileSync(arrayPython(), [script, key === 'odv' ? 'odv' : 'netcdf', ours, theirs])
      }
      return (await turns(place, key, `files_${key}`, writer, compare, rounds)).figures
    } finally {
      python?.close()
    }
  })
}

/** The large grid, by the service alone. */
export function year(scratch: string, root: string): Promise<Figure[]> {
  return withPlace(scratch, root, 'year', async ({ service }) => {
    const { file } = await requestsFor(root, 'year')
    const value = await timed(() => service.drain(file))
    return [{ key: 'files_year', what: ASKED.year.what, value, unit: 'ms' }]
  })
}

async function nativeStatement(root: string, key: FileKey): Promise<string> {
  return statement(key, `'${join(root, await source(root, ASKED[key].source))}'`)
}

function startPeer(what: 'copy' | 'netcdf' | 'grid' | 'odv'): Promise<LinePeer | null> {
  return startLinePeer('files/writers_peer.py', [what])
}

async function ask(peer: LinePeer, request: object): Promise<number> {
  return ((await peer.ask(request)) as { ms: number }).ms
}

function extensionOf(key: FileKey): string {
  if (key === 'parquet' || key === 'ordered') return 'parquet'
  if (key === 'odv') return 'zip'
  return key === 'csv' ? 'csv' : 'nc'
}
