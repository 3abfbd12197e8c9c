import { join } from 'node:path'
import * as arrow from 'apache-arrow'
import t from 'tap'
import { netcdfPlan } from '../../../src/main/output/files/netcdf/netcdf-plan.ts'
import { type DataType, type Field, field } from '../../../src/plan/types/schema.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { readContext } from '../../formats/context.ts'
import { writeNetcdf } from './write-netcdf.ts'

const INT32: DataType = { kind: 'int', bits: 32, signed: true }

function plan(...fields: readonly Field[]) {
  return netcdfPlan({ fields, metadata: {} }, { compression: 0 })
}

t.test('names that the netCDF library would not find', async (t) => {
  const refused = ['', '.title', '-a', ' a', 'a/b', 'a\nb', 'a\u007f', 'a ', 'x'.repeat(256), 'é'.repeat(128)]
  for (const name of refused)
    t.throws(
      () => plan(field(name, INT32)),
      { code: 'not_supported', message: /alias/ },
      JSON.stringify(name),
    )
  const written = ['a', '_a', '1', 'größe', 'temp.units', 'a b', 'x'.repeat(255), '😀']
  t.same(
    plan(...written.map((name) => field(name, INT32))).variables.map(({ name }) => name),
    written,
  )
})

t.test('two columns of one name, and names of dimensions', async (t) => {
  const bytes: DataType = { kind: 'fixed_binary', width: 4 }
  t.throws(() => plan(field('a', INT32), field('a', INT32)), { message: /another column has it/ })
  t.throws(() => plan(field('u\u0308', INT32), field('ü', INT32)), { message: /another column has it/ })
  t.throws(() => plan(field('a', bytes), field('STRING4', INT32)), { message: /dimension/ })
  t.throws(() => plan(field('obs', bytes)), { message: /dimension/ })
  t.equal(plan(field('STRING4', INT32), field('obs', INT32)).variables.length, 2)
})

t.test('types without a variable, with what helps', async (t) => {
  const item = field('item', INT32)
  const refused: readonly (readonly [DataType, RegExp])[] = [
    [{ kind: 'bool' }, /Boolean.*CAST\("a" AS UTINYINT\)/],
    [{ kind: 'null' }, /Null.*AS DOUBLE/],
    [{ kind: 'float', bits: 16 }, /Float16.*AS REAL/],
    [{ kind: 'decimal', bits: 128, precision: 10, scale: 2 }, /Decimal128\(10, 2\).*AS DOUBLE/],
    [{ kind: 'time', unit: 'microsecond' }, /Time64.*AS VARCHAR/],
    [{ kind: 'duration', unit: 'second' }, /Duration.*epoch\("a"\)/],
    [{ kind: 'interval', unit: 'month_day_nano' }, /Interval.*epoch\("a"\)/],
    [{ kind: 'binary' }, /Binary.*hex\("a"\)/],
    [{ kind: 'uuid' }, /UUID.*AS VARCHAR/],
    [{ kind: 'list', item }, /List<Int32>.*AS VARCHAR/],
    [{ kind: 'struct', fields: [item] }, /Struct.*AS VARCHAR/],
    [
      {
        kind: 'dictionary',
        index: { kind: 'int', bits: 8, signed: true },
        value: { kind: 'bool' },
        ordered: false,
      },
      /Boolean/,
    ],
  ]
  for (const [type, message] of refused)
    t.throws(() => plan(field('a', type)), { code: 'not_supported', message }, type.kind)
})

t.test('a value that stands for null, in a column that has nulls', async (t) => {
  const core = createCore({ maximumBytes: 64 << 20 })
  const folder = t.testdir()
  let files = 0
  const write = (vector: arrow.Vector) =>
    writeNetcdf(join(folder, `${files++}.nc`), new arrow.Table({ a: vector }), [1], readContext(core))
  for (const values of [
    [127, null],
    [null, 127],
    [1, 127, 2, null, 3],
  ])
    await t.rejects(write(arrow.vectorFromArray(values, new arrow.Int8())), {
      code: 'type_mismatch',
      message: /column "a" has nulls and also the value 127/,
    })
  await t.rejects(write(arrow.vectorFromArray([Number.MAX_VALUE, null], new arrow.Float64())), {
    code: 'type_mismatch',
  })
  await write(arrow.vectorFromArray([127, 1], new arrow.Int8()))
  await write(arrow.vectorFromArray([126, null], new arrow.Int8()))
  t.equal(core.usedBytes(), 0)
})
