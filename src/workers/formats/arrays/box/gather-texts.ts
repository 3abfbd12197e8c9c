import { ServiceError } from '../../../../plan/errors.ts'
import type { Store } from '../../../store/store.ts'
import type { ReadContext } from '../../provider.ts'
import type { ArrayFile, Box, StoredArray } from '../array-file.ts'
import { cellsIn, forEachRun } from './copy-slab.ts'

const NO_TEXT = new Uint8Array()

/** The texts of a box of an array of texts in C order, each as its bytes. */
export function gatherTexts(
  file: ArrayFile,
  store: Store,
  array: StoredArray,
  box: Box,
  context: ReadContext,
): readonly Uint8Array[] {
  const texts: Uint8Array[] = new Array<Uint8Array>(cellsIn(box.extent)).fill(NO_TEXT)
  if (texts.length === 0) return texts
  for (const slab of file.slabs(store, array, box, context)) {
    context.checkCancelled()
    const { kind, bytes } = slab
    if (kind === 'elements')
      throw new ServiceError('unreadable_file', 'it has numbers where text is expected')
    const repeated = kind === 'repeated' ? bytes.slice() : NO_TEXT
    const copied = kind === 'texts' ? bytes.slice() : NO_TEXT
    forEachRun(slab, box, (from, to, count) => {
      for (let element = 0; element < count; element++)
        texts[to + element] = kind === 'texts' ? textAt(slab.offsets, copied, from + element) : repeated
    })
  }
  return texts
}

function textAt(offsets: Int32Array, bytes: Uint8Array, index: number): Uint8Array {
  const [from, to] = [offsets[index], offsets[index + 1]]
  if (from === undefined || to === undefined || !(from >= 0 && from <= to && to <= bytes.length))
    throw new ServiceError(
      'unreadable_file',
      `its text ${index} is at ${from}..${to} of ${bytes.length} bytes`,
    )
  return bytes.subarray(from, to)
}
