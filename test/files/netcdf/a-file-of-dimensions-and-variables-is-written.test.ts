import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Hdf5Output } from '../../../src/workers/writers/netcdf/library/hdf5-output.ts'
import { withShuffle } from '../../../src/workers/writers/netcdf/library/shuffled-output.ts'
import { createNc4File } from '../../../src/workers/writers/netcdf/nc4-file.ts'
import { NC4_ELEMENTS } from '../../../src/workers/writers/netcdf/nc4-types.ts'
import { runTool, skipWithoutTool } from '../../support/tools.ts'

t.test('dimensions, coordinates, chunks and attributes', { skip: skipWithoutTool('ncdump') }, async (t) => {
  const path = join(t.testdir(), 'a.nc')
  await write(path)
  t.equal(await runTool('ncdump', ['-s', path]), EXPECTED)
})

t.test('equal calls give equal bytes, at any time and in any instance of the library', async (t) => {
  const folder = t.testdir()
  const names = ['a', 'b', 'c']
  // The first two at once are in instances of their own, and the third one is in one that is used again.
  await Promise.all(names.slice(0, 2).map((name) => write(join(folder, name))))
  await write(join(folder, 'c'))
  const [first, ...others] = names.map((name) => readFileSync(join(folder, name)))
  for (const other of others) t.ok(first?.equals(other))
})

t.test('a write that fails is heard, at the beginning and later', async (t) => {
  const full = openSync('/dev/full', 'r+')
  t.teardown(() => closeSync(full))
  await t.rejects(createNc4File(full), { code: 'disk_full' })

  const folder = t.testdir()
  const descriptor = openSync(join(folder, 'a'), 'w+')
  const file = await createNc4File(descriptor)
  closeSync(descriptor)
  t.throws(
    () => {
      file.define([{ name: 'x', length: 2, isUnlimited: false }], [])
      file.close()
    },
    { code: 'output_failed', message: /EBADF/ },
  )
  file.discard()
  await write(join(folder, 'b'))
})

t.test('a write that fails after the library has closed the file is heard too', (t) => {
  const descriptor = openSync(join(t.testdir(), 'a'), 'w+')
  closeSync(descriptor)
  const library: Hdf5Output = {
    bytes: 48,
    allocate: () => 0,
    free() {},
    heap: () => new Uint8Array(8),
    createDataset() {},
    resize() {},
    write() {},
    createAttribute() {},
    setScale() {},
    attachScale() {},
    addressOf: () => 0,
    close() {},
    discard() {},
  }
  const output = withShuffle(library, descriptor)
  const extent = { shape: [3], canGrow: [true], chunks: [2], deflate: 4 }
  output.createDataset('/x', NC4_ELEMENTS.int, extent)
  t.throws(() => output.close(), { code: 'output_failed', message: /EBADF/ })
  t.end()
})

async function write(path: string): Promise<void> {
  const descriptor = openSync(path, 'w+')
  const file = await createNc4File(descriptor)
  const { memory } = file
  const dimensions = [
    { name: 'obs', length: 0, isUnlimited: true },
    { name: 'x', length: 3, isUnlimited: false },
    { name: 'STRING2', length: 2, isUnlimited: false },
  ]
  const units = { name: 'units', text: 'degrees_north' }
  file.define(dimensions, [
    { name: 'größe', type: 'double', dimensions: [0], chunks: [4], compression: 0, attributes: [units] },
    { name: 'x', type: 'ushort', dimensions: [1], chunks: null, compression: 0, attributes: [] },
    { name: 'c', type: 'char', dimensions: [0, 2], chunks: [4, 2], compression: 0, attributes: [] },
    { name: 's', type: 'string', dimensions: [0], chunks: [4], compression: 0, attributes: [] },
    { name: 'grid', type: 'byte', dimensions: [1, 2], chunks: null, compression: 0, attributes: [] },
  ])
  const at = memory.allocate(64)
  const put = (bytes: ArrayBufferLike): void => memory.heap().set(new Uint8Array(bytes), at)
  put(Uint16Array.of(7, 8, 65_534).buffer)
  file.write(1, [0], [3], at)
  put(Int8Array.of(1, 2, 3, 4, -5, 6).buffer)
  file.write(4, [0, 0], [3, 2], at)
  for (const from of [0, 4]) {
    const rows = from === 0 ? 4 : 1
    file.lengthen(0, from + rows)
    put(Float64Array.of(from, Number.NaN, 1e30, -0).buffer)
    file.write(0, [from], [rows], at)
    put(Uint8Array.from(Buffer.from('abcdefgh')).buffer)
    file.write(2, [from, 0], [rows, 2], at)
    put(Uint8Array.from(Buffer.from('été\0')).buffer)
    const text = memory.allocate(16)
    memory.heap().set(memory.heap().subarray(at, at + 8), text)
    put(Uint32Array.of(text, text + 2, text + 5, text).buffer)
    file.write(3, [from], [rows], at)
    memory.free(text)
  }
  file.addAttribute(0, {
    name: '_FillValue',
    type: 'double',
    value: new Uint8Array(Float64Array.of(1e30).buffer),
  })
  file.addAttribute(3, { name: '_FillValue', string: '' })
  memory.free(at)
  file.close()
  closeSync(descriptor)
}

const EXPECTED = `netcdf a {
dimensions:
	obs = UNLIMITED ; // (5 currently)
	x = 3 ;
	STRING2 = 2 ;
variables:
	double größe(obs) ;
		größe:units = "degrees_north" ;
		größe:_FillValue = 1.e+30 ;
		größe:_Storage = "chunked" ;
		größe:_ChunkSizes = 4 ;
		größe:_Endianness = "little" ;
		größe:_NoFill = "true" ;
	ushort x(x) ;
		x:_Storage = "contiguous" ;
		x:_Endianness = "little" ;
		x:_NoFill = "true" ;
	char c(obs, STRING2) ;
		c:_Storage = "chunked" ;
		c:_ChunkSizes = 4, 2 ;
		c:_NoFill = "true" ;
	string s(obs) ;
		string s:_FillValue = "" ;
		s:_Storage = "chunked" ;
		s:_ChunkSizes = 4 ;
		s:_NoFill = "true" ;
	byte grid(x, STRING2) ;
		grid:_Storage = "contiguous" ;
		grid:_NoFill = "true" ;

// global attributes:
		:_SuperblockVersion = 2 ;
		:_IsNetcdf4 = 1 ;
		:_Format = "netCDF-4" ;
data:

 größe = 0, NaN, _, -0, 4 ;

 x = 7, 8, 65534 ;

 c =
  "ab",
  "cd",
  "ef",
  "gh",
  "ab" ;

 s = "été", "té", _, "été", "été" ;

 grid =
  1, 2,
  3, 4,
  -5, 6 ;
}
`
