import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { OPTIONS } from '../../../output/odv/odv-service.ts'
import { addressOf } from '../../../support/ready.ts'
import { until } from '../../../support/until.ts'
import { numberedRows, writeParquetFile } from '../../parquet-file.ts'

/** Mounts a disk of `$1` bytes on the folder `$2`, for the rest of the command alone. */
const SMALL_DISK = 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"'

const DISK_BYTES = 1 << 20

const START = join(import.meta.dirname, '../../../../src/main/start.ts')

const dataDir = t.testdir({ datasets: {}, tmp: {} })
const tmp = join(dataDir, 'tmp')
mkdirSync(tmp, { recursive: true })
writeParquetFile(join(dataDir, 'datasets/a.parquet'), numberedRows(400_000), 100_000)

const service = spawn(
  'unshare',
  [
    ...['--mount', '--map-root-user', 'sh', '-c', SMALL_DISK, 'sh'],
    ...[String(DISK_BYTES), tmp, process.execPath, START],
  ],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      SERVICE_DATA_DIR: dataDir,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: '0',
      SERVICE_WORKERS: '2',
      SERVICE_MIN_FREE_BYTES: '0',
    },
  },
)
t.teardown(() => service.kill('SIGKILL'))
const address = await addressOf(service.stdout)

const ODV = {
  ...OPTIONS,
  depth_column: { column_name: 'id', units: 'm' },
  data_columns: [{ column_name: 'noise', units: '1' }],
}
const STATIONS =
  "name AS cruise, 5.5::DOUBLE AS lon, 60.5::DOUBLE AS lat, TIMESTAMP '2024-01-01' AS time, id, noise + 1 AS noise"

/** What each answer that is a file is asked for with. */
const FILES: Readonly<Record<string, readonly [format: unknown, columns: string]>> = {
  ipc: ['ipc', 'id, noise'],
  parquet: ['parquet', 'id, noise'],
  geoparquet: [{ geoparquet: { longitude_column: 'noise', latitude_column: 'noise' } }, 'id, noise'],
  netcdf: ['netcdf', 'id, noise'],
  nd_netcdf: [{ nd_netcdf: { dimension_columns: ['id'] } }, 'id, noise'],
  odv: [{ odv: ODV }, STATIONS],
}

async function ask(name: string, limit: number): Promise<{ status: number; said: string; bytes: number }> {
  const [format, columns] = FILES[name] ?? ['', '']
  const answer = await fetch(`${address}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      sql: `SELECT ${columns} FROM read_parquet('a.parquet') LIMIT ${limit}`,
      output: { format },
    }),
  })
  const body = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, said: body.toString('latin1', 0, 400), bytes: body.length }
}

/** The bytes in use of the small disk, which only the service sees. */
async function usedBytes(): Promise<number> {
  const { blocks, bfree, bsize } = await statfs(`/proc/${service.pid}/root${tmp}`)
  t.equal(blocks * bsize, DISK_BYTES, 'this is the small disk')
  return (blocks - bfree) * bsize
}

for (const name of Object.keys(FILES))
  t.test(
    `${name}: an answer that does not fit on the disk is refused, and leaves nothing there`,
    async (t) => {
      const large = await ask(name, 400_000)
      t.equal(large.status, 400, large.said)
      t.match(large.said, /disk of the temporary files is (?:nearly )?full.*stream/)
      await until('the disk is empty', async () => (await usedBytes()) === 0)
      const small = await ask(name, 100)
      t.equal(small.status, 200)
      t.ok(small.bytes > 0)
    },
  )
