import t from 'tap'
import type { Column, Mask } from '../../src/wasm/core/column.ts'
import { createColumns } from '../../src/wasm/core/columns.ts'
import { instantiate } from '../../src/wasm/core/instance.ts'
import { createMasks } from '../../src/wasm/core/kernels/masks.ts'

/** A module with the functions that are called here; `used_bytes` is `unreachable`. */
function trappingModule(): Uint8Array {
  const name = (text: string) => [text.length, ...Buffer.from(text)]
  const section = (id: number, content: number[]) => [id, content.length, ...content]
  const body = (...code: number[]) => [code.length + 2, 0, ...code, 0x0b]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 1, 0x7f]),
    ...section(2, [1, ...name('env'), ...name('memory'), 2, 0, 1]),
    ...section(3, [2, 0, 0]),
    ...section(7, [3, ...name('results'), 0, 0, ...name('message'), 0, 0, ...name('used_bytes'), 0, 1]),
    ...section(10, [2, ...body(0x41, 0), ...body(0x00)]),
  ])
}

t.test('after a trap every call is refused, only freeing is ignored', async (t) => {
  const instance = instantiate(2 << 20, new WebAssembly.Module(trappingModule()))
  t.notOk(instance.isDead())
  t.throws(() => instance.call('used_bytes'), { code: 'internal', message: /trapped in used_bytes/ })
  t.ok(instance.isDead())
  const [columns, masks] = [createColumns(instance), createMasks(instance)]
  t.throws(() => masks.filled(1, true), { code: 'internal', message: /before/ })
  columns.free(1 as Column)
  masks.freeMask(1 as Mask)
  t.notOk(instantiate(2 << 20).isDead(), 'a new one lives')
})
