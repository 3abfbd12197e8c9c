import { onlyObject, type Store } from '../../../store/store.ts'
import type { Box } from '../../arrays/array-file.ts'
import { readStridedPart } from '../../arrays/strided/read-strided.ts'
import type { StridedElements } from '../../arrays/strided/runs.ts'
import type { ReadContext } from '../../provider.ts'
import { putApart, type TilePixels } from './kept-tile.ts'

/** Pixels that are not compressed, and whose samples follow each other. */
interface StoredPixels {
  readonly store: Store
  readonly elements: StridedElements
  readonly part: { readonly from: readonly number[]; readonly box: Box }
  readonly pixels: TilePixels
}

/**
 * The samples of the pixels of a box, apart from each other: those of all bands are read at once, and kept for the other bands of the unit.
 * Throws `unreadable_file`.
 */
export function readApart(
  { store, elements, part, pixels }: StoredPixels,
  { core, chunks, checkCancelled }: ReadContext,
): ArrayBuffer {
  const source = onlyObject(store)
  const { count, samples, valueBytes } = pixels
  const name = `${elements.begin} ${part.box.origin.join()} ${part.box.extent.join()}`
  return chunks.get(store, name, source.version, () => {
    const planes = new Uint8Array(Buffer.allocUnsafeSlow(count * samples * valueBytes).buffer)
    let from = 0
    // The parts follow each other in C order.
    for (const { bytes } of readStridedPart(source, elements, part, checkCancelled)) {
      putApart(core, bytes, pixels, planes, from)
      from += bytes.length / (samples * valueBytes)
    }
    return planes.buffer
  })
}
