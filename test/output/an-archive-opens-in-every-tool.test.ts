import { createHash } from 'node:crypto'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { TempFile } from '../../src/main/output/temp/temp-file.ts'
import { createTempFolder } from '../../src/main/output/temp/temp-folder.ts'
import { contentOf, createContentPacker } from '../../src/main/output/zip/content-packer.ts'
import { createArchive } from '../../src/main/output/zip/write-archive.ts'
import { centralDirectory, localHeader, type ZipMethod } from '../../src/main/output/zip/zip-records.ts'
import { runPython, skipWithout } from '../support/python.ts'
import { runTool, skipWithoutTool } from '../support/tools.ts'

const NAMES = ['first.txt', 'second.txt', 'empty.txt']
const METHODS: readonly ZipMethod[] = ['stored', 'deflate', 'zstd']

/** Entries that grow in turns, one of them not at all. */
const PIECES: readonly (readonly [entry: number, text: string])[] = [
  [1, 'second\n'.repeat(3)],
  [0, `first ${'lines\n'.repeat(70_000)}`],
  [1, '…and more of the second\n'],
  [0, 'and more of the first\n'],
]
const textOf = (entry: number): string =>
  PIECES.flatMap(([each, text]) => (each === entry ? [text] : [])).join('')

/** Writes an archive and returns its path and its bytes. */
async function archiveOf(t: Test, method: ZipMethod): Promise<{ path: string; bytes: Buffer }> {
  const limits = { outputBytes: 1 << 24, totalBytes: 1 << 25, reservedBytes: 0 }
  const folder = createTempFolder(t.testdir({}), limits)
  const file = await folder.open()
  const archive = await createArchive(file, folder, NAMES, method)
  for (const [entry, text] of PIECES) await archive.append(entry, await contentOf(text, method))
  await archive.finish()
  await archive.close()
  t.equal(folder.bytes, file.size, 'only the archive is left')
  const bytes = await contentsOf(file)
  const path = join(t.testdirName, 'output.zip')
  writeFileSync(path, bytes)
  return { path, bytes }
}

async function contentsOf(file: TempFile): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const read = file.read()
  for (;;) {
    const chunk = await read.next()
    if (chunk === null) return Buffer.concat(chunks)
    chunks.push(chunk)
  }
}

for (const method of METHODS) {
  t.test(`${method}: the same entries give the same bytes`, async (t) => {
    const [first, second] = [await archiveOf(t, method), await archiveOf(t, method)]
    t.ok(first.bytes.equals(second.bytes))
    t.equal(first.bytes.readUInt16LE(12), 33, '1980-01-01')
  })

  t.test(`${method}: bsdtar`, { skip: skipWithoutTool('bsdtar') }, async (t) => {
    const { path } = await archiveOf(t, method)
    t.same((await runTool('bsdtar', ['-tf', path])).trim().split('\n'), NAMES)
    for (const [entry, name] of NAMES.entries())
      t.ok((await runTool('bsdtar', ['-xOf', path, name])) === textOf(entry), name)
  })
}

for (const method of ['stored', 'deflate'] as const) {
  t.test(`${method}: unzip`, { skip: skipWithoutTool('unzip') }, async (t) => {
    const { path } = await archiveOf(t, method)
    t.match(await runTool('unzip', ['-t', path]), 'No errors detected')
    for (const [entry, name] of NAMES.slice(0, 2).entries())
      t.ok((await runTool('unzip', ['-p', path, name])) === textOf(entry), name)
  })

  t.test(`${method}: zipfile`, { skip: skipWithout('zipfile') }, async (t) => {
    const { path } = await archiveOf(t, method)
    t.same(JSON.parse(await runPython(READ_ZIP, [path])), {
      bad: null,
      entries: NAMES.map((name, entry) => [name, createHash('md5').update(textOf(entry)).digest('hex')]),
    })
  })
}

const READ_ZIP = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    entries = [(name, hashlib.md5(archive.read(name)).hexdigest()) for name in archive.namelist()]
    print(json.dumps({"bad": archive.testzip(), "entries": entries}))
`

t.test('Zstandard is one frame, whatever the pieces', async (t) => {
  const packer = createContentPacker('zstd')
  const pieces = ['a'.repeat(300_000), 'b', 'c'.repeat(10)]
  const packed: Uint8Array[] = []
  for (const piece of pieces) packed.push(...(await packer.pack(await contentOf(piece, 'zstd'))))
  packed.push(...(await packer.end()))
  packer.close()
  const bytes = Buffer.concat(packed)
  t.equal(zstdDecompressSync(bytes).toString(), pieces.join(''))
  t.equal(bytes.indexOf(Buffer.of(0x28, 0xb5, 0x2f, 0xfd), 1), -1, 'no other frame begins')
})

t.test('a packer that is closed early neither waits nor throws', async (t) => {
  const packer = createContentPacker('zstd')
  await packer.pack(await contentOf('x', 'zstd'))
  packer.close()
  packer.close()
  t.ok(createContentPacker('deflate'))
})

t.test('deflated pieces are one stream', async (t) => {
  const packer = createContentPacker('deflate')
  const pieces = await Promise.all(['ab', 'abc'.repeat(99), ''].map((text) => contentOf(text, 'deflate')))
  const packed: Uint8Array[] = []
  for (const piece of pieces) packed.push(...(await packer.pack(piece)))
  packed.push(...(await packer.end()))
  t.equal(inflateRawSync(Buffer.concat(packed)).toString(), `ab${'abc'.repeat(99)}`)
})

t.test('sizes and positions beyond 32 bits', { skip: skipWithout('zipfile') }, async (t) => {
  // The file has a hole where the content of the first entry would be.
  const size = 2 ** 32 + 7
  const large = { name: 'large', method: 'stored', crc: 5, size, packedSize: size, at: 0 } as const
  const header = localHeader(large)
  const at = header.length + size
  const text = Buffer.from('small')
  const small = { name: 'small', method: 'stored', crc: crc32(text), size: 5, packedSize: 5, at } as const
  const path = join(t.testdir({}), 'large.zip')
  writeFileSync(path, header)
  const behind = Buffer.concat([localHeader(small), text])
  const end = Buffer.concat([behind, centralDirectory([large, small], at + behind.length)])
  const stream = createWriteStream(path, { flags: 'r+', start: at })
  await new Promise((written) => stream.end(end, () => written(null)))
  t.same(JSON.parse(await runPython(READ_LARGE, [path])), [['large', size, 0], ['small', 5, at], 'small'])
})

const READ_LARGE = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    infos = [(info.filename, info.file_size, info.header_offset) for info in archive.infolist()]
    print(json.dumps([*infos, archive.read("small").decode()]))
`
