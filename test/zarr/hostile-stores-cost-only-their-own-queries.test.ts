import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { startTestService } from '../e2e/service.ts'
import { crc32c } from './shard.ts'
import { type ArrayToWrite, type Layout, writeObjects, writeZarr, zarrObjects } from './write-zarr.ts'

const service = await startTestService(t, { settings: { SERVICE_MEMORY_BYTES: String(1 << 29) } })

const SECRET = 'ab0123456789cd'

const V: ArrayToWrite = {
  name: 'v',
  dimensions: ['y', 'x'],
  shape: [4, 6],
  chunk: [2, 3],
  values: Int32Array.from({ length: 24 }, (_, index) => index),
}

const PLAIN: Layout = { version: 3 }
const OF_VERSION_2: Layout = { version: 2 }
const SHARDED: Layout = { version: 3, chunksOfShard: 2 }

const LITTLE = { name: 'bytes', configuration: { endian: 'little' } }

type Objects = Map<string, Uint8Array>
type Document = Record<string, unknown>

const at = (...names: readonly string[]): string => join(service.datasets, ...names)

let count = 0

/** A store with changes. Returns its name. */
function store(layout: Layout, change: (objects: Objects) => void): string {
  const objects = zarrObjects([V], layout)
  change(objects)
  const name = `hostile-${count++}.zarr`
  writeObjects(at(name), objects)
  return name
}

/** Changes members of a document. */
function edit(objects: Objects, key: string, members: Document): void {
  const document = JSON.parse(Buffer.from(objects.get(key) ?? []).toString())
  objects.set(key, Buffer.from(JSON.stringify({ ...document, ...members })))
}

const withCodecs =
  (codecs: readonly object[], bytes: Uint8Array) =>
  (objects: Objects): void => {
    edit(objects, 'v/zarr.json', { codecs })
    objects.set('v/c/0/0', bytes)
  }

async function answerTo(path: string, sql = 'SELECT * FROM t'): Promise<string> {
  const body = { sql: sql.replace(/\bt\b/, `read_zarr('${path}')`), output: { format: 'csv' } }
  const response = await service.query(body)
  return `${response.status} ${await response.text()}`
}

writeZarr(at('control.zarr'), [V], PLAIN)
writeFileSync(at('..', 'secret'), SECRET.repeat(10))

async function requireControl(t: Test): Promise<void> {
  const control = await answerTo('control.zarr', 'SELECT sum(v) AS s FROM t')
  t.equal(control, `200 s\n${(23 * 24) / 2}\n`, 'a good store is read as before')
}

t.test('what is compressed to a bomb is not expanded', async (t) => {
  const zeros = Buffer.alloc(1 << 28)
  const blosc = Buffer.alloc(64)
  // Version 2, 2 GB of 4-byte elements in one block.
  blosc.set([2, 1, 1, 4])
  blosc.writeUInt32LE(0x7fffffff, 4)
  blosc.writeUInt32LE(0x7fffffff, 8)
  blosc.writeUInt32LE(64, 12)
  const configuration = { cname: 'lz4', clevel: 5, shuffle: 'shuffle', typesize: 4, blocksize: 0 }
  const bombs = {
    zstd: [[LITTLE, { name: 'zstd', configuration: {} }], zstdCompressSync(zeros)],
    gzip: [[LITTLE, { name: 'gzip', configuration: { level: 9 } }], gzipSync(zeros)],
    blosc: [[LITTLE, { name: 'blosc', configuration }], blosc],
    zlib: [[LITTLE, { name: 'numcodecs.zlib', configuration: { level: 9 } }], deflateSync(zeros)],
    'zstd twice': [
      [LITTLE, { name: 'zstd', configuration: {} }, { name: 'zstd', configuration: {} }],
      zstdCompressSync(zstdCompressSync(zeros)),
    ],
  } as const
  for (const [name, [codecs, bytes]] of Object.entries(bombs)) {
    const answer = await answerTo(store(PLAIN, withCodecs(codecs, bytes)))
    t.match(answer, /^400 .*hostile-\d+\.zarr.*v\/c\/0\/0/s, name)
  }
  const texts = store(PLAIN, (objects) => {
    edit(objects, 'v/zarr.json', { data_type: 'string', fill_value: '', codecs: [{ name: 'vlen-utf8' }] })
    // Six texts, the first of which says that it has 4 GB.
    objects.set('v/c/0/0', Buffer.from(Uint32Array.of(6, 0xffffffff, 0, 0).buffer))
  })
  t.match(await answerTo(texts), /^400 .*v\/c\/0\/0/s)
  await requireControl(t)
})

t.test('shapes of 2^60 and chunks of 2^40 are refused, or cost what is asked of them', async (t) => {
  const huge = { name: 'regular', configuration: { chunk_shape: [2 ** 40, 3] } }
  const shapes: Record<string, Document> = {
    'shape of 2^60': { shape: [2 ** 60, 6] },
    'shape of 2^50': { shape: [2 ** 50, 6] },
    'shape of 2^31 in chunks of two': { shape: [2 ** 31, 2 ** 20] },
    'chunk of 2^40': { shape: [2 ** 41, 6], chunk_grid: huge },
    'chunk of 2^40 over a small shape': { chunk_grid: huge },
  }
  for (const [name, members] of Object.entries(shapes)) {
    const path = store(PLAIN, (objects) => edit(objects, 'v/zarr.json', members))
    for (const sql of ['SELECT * FROM t LIMIT 5', 'SELECT count(*) AS n FROM t', 'EXPLAIN SELECT v FROM t']) {
      const answer = await answerTo(path, sql)
      t.match(answer, /^(200 |400 .*hostile-\d+\.zarr)/s, `${name}: ${sql}`)
    }
  }
  await requireControl(t)
})

t.test('an index of a shard that points anywhere is an error', async (t) => {
  /** The index of four chunks of 24 bytes each, with another offset and length of the first one. */
  const withEntry = (offset: bigint, length: bigint) => (objects: Objects) => {
    const bytes = Buffer.from(objects.get('v/c/0/0') ?? [])
    const index = bytes.subarray(-(4 * 16 + 4))
    index.writeBigUInt64LE(offset, 0)
    index.writeBigUInt64LE(length, 8)
    index.writeUInt32LE(crc32c(index.subarray(0, -4)), index.length - 4)
    objects.set('v/c/0/0', bytes)
  }
  const entries: readonly (readonly [bigint, bigint])[] = [
    [0n, 2n ** 63n],
    [2n ** 63n, 24n],
    [2n ** 64n - 2n, 24n],
    [1n << 40n, 24n],
    [160n, 24n],
    [0n, 2n ** 64n - 1n],
    [2n ** 64n - 1n, 24n],
    [0n, 0n],
    [0n, 23n],
    [0n, 25n],
  ]
  for (const [offset, length] of entries) {
    const answer = await answerTo(store(SHARDED, withEntry(offset, length)))
    t.match(answer, /^400 .*v\/c\/0\/0/s, `${length} bytes at ${offset}`)
  }
  const empty = store(SHARDED, (objects) => objects.set('v/c/0/0', Buffer.alloc(10)))
  t.match(await answerTo(empty), /^400 .*v\/c\/0\/0/s, 'a shard that is shorter than its index')
  await requireControl(t)
})

t.test('no name and no key leads out of the store', async (t) => {
  for (const separator of ['%2f..%2f..%2f..%2fsecret%2f', '/../../../secret/', '..', '\\', '']) {
    const keys = { name: 'default', configuration: { separator } }
    const path = store(PLAIN, (objects) => edit(objects, 'v/zarr.json', { chunk_key_encoding: keys }))
    t.match(await answerTo(path), /^400 .*separator/s)
    const of2 = store(OF_VERSION_2, (objects) =>
      edit(objects, 'v/.zarray', { dimension_separator: separator }),
    )
    t.match(await answerTo(of2), /^400 .*separator/s)
  }
  for (const name of ['../../secret', '..', '/secret', 'a/../../../secret', '%2e%2e/%2e%2e/secret']) {
    const path = store(PLAIN, (objects) => {
      const metadata = { [name]: JSON.parse(Buffer.from(objects.get('v/zarr.json') ?? []).toString()) }
      edit(objects, 'zarr.json', {
        consolidated_metadata: { kind: 'inline', must_understand: false, metadata },
      })
    })
    const answer = await answerTo(path)
    t.notMatch(answer, /ab01/)
    t.match(answer, name.startsWith('%') ? /^200 / : /^400 .*names no object|^400 .*key/s, name)
  }
  await requireControl(t)
})

t.test('links are not followed, and circles of them end', async (t) => {
  symlinkSync('.', join(at(store(PLAIN, () => {})), 'around'))
  t.match(await answerTo(`hostile-${count - 1}.zarr`), /^(200 |400 .*symbolic link)/s)
  const links = {
    'v/c/0/0': '../../../../secret',
    'v/c': '../../../..',
    'v/zarr.json': 'zarr.json',
    'zarr.json': '../../secret',
    v: '../control.zarr/v',
  }
  for (const [key, target] of Object.entries(links)) {
    const path = store(PLAIN, () => {})
    rmSync(at(path, key), { recursive: true })
    symlinkSync(target, at(path, key))
    // Without its marker the folder would be one that has the array as a store.
    const answer = await answerTo(key === 'zarr.json' ? `${path}/zarr.json` : path)
    t.match(answer, /^400 .*hostile-\d+\.zarr/s, key)
    t.notMatch(answer, /ab01/)
  }
  await requireControl(t)
})

t.test('what is no file in the place of one is an error', async (t) => {
  for (const key of ['v/c/0/0', 'v/zarr.json']) {
    const path = store(PLAIN, (objects) => objects.delete(key))
    mkdirSync(at(path, key))
    t.match(await answerTo(path), /^400 /, `a folder as ${key}`)
    rmSync(at(path, key), { recursive: true })
    execFileSync('mkfifo', [at(path, key)])
    t.match(await answerTo(path), /^400 /, `a pipe as ${key}`)
    rmSync(at(path), { recursive: true })
  }
  await requireControl(t)
})

t.test('stale consolidated metadata count, as they do for other readers', async (t) => {
  const path = store({ ...PLAIN, isConsolidated: true }, (objects) => {
    edit(objects, 'v/zarr.json', { shape: [2, 6] })
    for (const [key, bytes] of zarrObjects([{ ...V, name: 'w' }], PLAIN))
      if (key.startsWith('w/')) objects.set(key, bytes)
  })
  t.equal(await answerTo(path, 'SELECT count(*) AS n FROM t'), '200 n\n24\n')
  t.match(await answerTo(path), /^200 v\n/, 'an array that they do not name is no column')
  const gone = store({ ...PLAIN, isConsolidated: true }, (objects) => {
    for (const key of [...objects.keys()]) if (key.startsWith('v/')) objects.delete(key)
  })
  t.equal(await answerTo(gone, 'SELECT count(*) AS n, sum(v) AS s FROM t'), '200 n,s\n24,0\n')
  await requireControl(t)
})
