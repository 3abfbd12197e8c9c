import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { keepExports } from '../../src/wasm/duckdb/linking/keep-exports.ts'

// (module (func (export "a")) (func (export "_Zb")) (func (export "c") (nop)))
const MODULE = Uint8Array.from(
  [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    [1, 4, 1, 0x60, 0, 0],
    [3, 4, 3, 0, 0, 0],
    [7, 15, 3, 1, 0x61, 0, 0, 3, 0x5f, 0x5a, 0x62, 0, 1, 1, 0x63, 0, 2],
    [10, 11, 3, 2, 0, 0x0b, 2, 0, 0x0b, 3, 0, 1, 0x0b],
  ].flat(),
)

t.test('a module is the same but for the exports that are refused', (t) => {
  t.same(exportsOf(keepExports(MODULE.slice(), (name) => !name.startsWith('_Z'))), ['a', 'c'])
  t.same(exportsOf(keepExports(MODULE.slice(), () => false)), [])
  t.same(
    keepExports(MODULE.slice(), () => true),
    MODULE,
  )
  t.end()
})

t.test('bytes that end too soon are refused', (t) => {
  for (let length = 0; length < 8 + 6 + 6 + 2 + 15; length++)
    t.throws(() => keepExports(MODULE.slice(0, length), () => true), { code: 'internal' })
  t.end()
})

t.test('the module of the package stays one', (t) => {
  const path = fileURLToPath(import.meta.resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'))
  const bytes = readFileSync(path)
  const kept = keepExports(bytes, (name) => name.startsWith('duckdb_'))
  t.ok(kept.length < bytes.length - (5 << 20), 'the names alone are 7 MB')
  t.doesNotThrow(() => new WebAssembly.Module(kept))
  t.end()
})

function exportsOf(bytes: Uint8Array): string[] {
  return Object.keys(new WebAssembly.Instance(new WebAssembly.Module(bytes), {}).exports)
}
