import type { Box, Slab } from '../../../src/workers/formats/arrays/array-file.ts'
import { cellsIn, forEachRun } from './copy-slab.ts'

const NO_TEXT = new Uint8Array()

/** The texts of a box of an array of texts in C order, each as its bytes. */
export function gatherTexts(slabs: Iterable<Slab>, box: Box): readonly Uint8Array[] {
  const texts: Uint8Array[] = new Array<Uint8Array>(cellsIn(box.extent)).fill(NO_TEXT)
  for (const slab of slabs) {
    const { kind } = slab
    if (kind === 'elements' || kind === 'inflated') throw new Error('numbers where text is expected')
    const bytes = slab.bytes.slice()
    forEachRun(slab, box, (from, to, count) => {
      for (let element = 0; element < count; element++)
        texts[to + element] =
          kind === 'texts'
            ? bytes.subarray(slab.offsets[from + element], slab.offsets[from + element + 1])
            : bytes
    })
  }
  return texts
}
