import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { netcdf3 } from '../../src/workers/formats/netcdf3/netcdf3.ts'
import { readContext } from '../formats/context.ts'
import { layoutOf, wholeGrid } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'
import { readSegment, type Value } from '../formats/values.ts'

/** A variable by itself. */
interface Expected {
  readonly dimensions: readonly string[]
  readonly rows: number
  /** As `scripts/make-argo-digests.py` makes it of the values. */
  readonly digest: string
}

const FIXTURES = join(import.meta.dirname, '../fixtures/netcdf/argo')

/** The files that are committed, or a folder with all of which there are digests. */
const FOLDER = process.env['HALOCLINE_ARGO'] ?? FIXTURES

const FILES: Readonly<Record<string, Readonly<Record<string, Expected>>>> = JSON.parse(
  readFileSync(join(FIXTURES, 'digests.json'), 'utf8'),
)

const core = createCore({ maximumBytes: 256 << 20 })
const context = readContext(core)

for (const [file, variables] of Object.entries(FILES).filter(([each]) => existsSync(join(FOLDER, each))))
  t.test(file, async (t) => {
    const store = memorySource(readFileSync(join(FOLDER, file)), file)
    for (const [name, expected] of Object.entries(variables)) {
      const dimensions = expected.dimensions.length === 0 ? null : expected.dimensions
      const opened = createArrayProvider(netcdf3, { dimensions }).open(store, context)
      const layout = layoutOf(opened, [name], store, context)
      const field = opened.schema.fields.find((each) => each.name === name)
      if (field === undefined || layout.kind !== 'grid') throw new TypeError(`no column ${name}`)
      const { rows, values } = readSegment(opened, store, wholeGrid(layout), [field], context)
      const found = {
        dimensions: layout.axes.map((axis) => axis.name),
        rows,
        digest: digestOf(values[0], field.type.kind === 'float'),
      }
      t.same(found, expected, name)
    }
    t.equal(core.usedBytes(), 0)
  })

/** Of a byte that says whether there is a value, and the value: 8 bytes, or text that ends with NUL. */
function digestOf(values: readonly Value[] = [], isFloat: boolean): string {
  const hash = createHash('sha256')
  for (const value of values) hash.update(bytesOf(value, isFloat))
  return hash.digest('hex').slice(0, 32)
}

function bytesOf(value: Value, isFloat: boolean): Buffer {
  if (value === null) return Buffer.of(0)
  if (typeof value !== 'bigint' && !isFloat) return Buffer.from(`\x01${value}\0`)
  const bytes = Buffer.alloc(9, 1)
  if (typeof value === 'bigint') bytes.writeBigUInt64LE(value, 1)
  else bytes.writeDoubleLE(Number(value), 1)
  return bytes
}
