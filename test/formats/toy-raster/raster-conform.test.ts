import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Float32, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { createArrayProvider } from '../../../src/workers/formats/arrays/array-provider.ts'
import { conformance, type Sample } from '../conformance.ts'
import { raster } from './raster.ts'

/** Writes an image, and beside it its pixels as rows in C order. */
function sample(name: string, lines: number, samples: number): Sample {
  const folder = t.testdirName
  mkdirSync(folder, { recursive: true })
  const values = Float32Array.from({ length: lines * samples }, (_, pixel) => pixel / 4)
  const location = join(folder, name)
  writeFileSync(
    location,
    Buffer.concat([Buffer.from(`#raster ${lines} ${samples} K\n`), Buffer.from(values.buffer)]),
  )
  const expected = `${location}.expected.arrow.gz`
  const rows = new Table({
    value: vectorFromArray([...values], new Float32()),
    'value.units': vectorFromArray(
      Array.from(values, () => 'K'),
      new Utf8(),
    ),
  })
  writeFileSync(expected, gzipSync(tableToIPC(rows, 'stream')))
  return { name, location, expected }
}

t.testdir({})
t.test('images', (t) =>
  conformance(t, {
    provider: createArrayProvider(raster, { dimensions: null }),
    samples: [sample('few', 2, 3), sample('many', 40, 50), sample('none', 0, 7)],
    damages: 48,
  }),
)
