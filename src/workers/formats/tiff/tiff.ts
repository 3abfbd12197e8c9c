import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import type { ArrayFile, ArrayReader, StoredArray, StructuredFile } from '../arrays/array-file.ts'
import { byUtf8 } from '../arrays/utf8-order.ts'
import { coordinateArrays, coordinateSlabs, dimensionsOf } from './coordinates.ts'
import { pixelSlabs } from './data/pixels.ts'
import { chunkOf, isPlain } from './data/tile-form.ts'
import { columnsOfTags } from './metadata/columns-of-tags.ts'
import { readDirectory } from './metadata/directory.ts'
import { readGeoreference } from './metadata/georeference.ts'
import { isTiff } from './metadata/header.ts'
import { type Image, readImage } from './metadata/image.ts'
import { fillAttribute, nodataOf, sampleBytes } from './metadata/nodata.ts'
import { structureOf } from './structure.ts'

/**
 * Reads TIFF, GeoTIFF and BigTIFF files: the first image, with a row for each pixel. Its bands are `band.0`, `band.1` and so on, and the
 * positions of its pixels, if tags say them, `geo.lon` and `geo.lat`.
 */
export const tiff: ArrayReader = Object.freeze({
  title: 'TIFF',
  sniff(store: Store) {
    const source = store.open('')
    return source !== null && isTiff(source)
  },
  open: (store: Store) => open(onlyObject(store)).file,
  structure(store: Store): StructuredFile {
    const { file, image } = open(onlyObject(store))
    return { structure: structureOf(file, image), tables: [{ group: '/', file, hasGroups: false }] }
  },
})

function open(source: ByteSource): { readonly file: ArrayFile; readonly image: Image } {
  const directory = readDirectory(source)
  const image = readImage(directory)
  const georeference = readGeoreference(directory, image)
  const { placement } = georeference
  const nodata = nodataOf(directory.text('GDAL_NODATA'), image.element)
  const bands = bandArrays(image, nodata)
  const bandOf = new Map(bands.map(({ name }, band) => [name, band]))
  const unwritten = sampleBytes(nodata ?? 0, image.element)
  const arrays = [...bands, ...coordinateArrays(placement, image)]
  const file: ArrayFile = {
    arrays: arrays.toSorted((a, b) => byUtf8(a.name, b.name)),
    attributes: columnsOfTags(directory, image, georeference),
    slabs(store, { name }, box, context, exclusive = null) {
      const band = bandOf.get(name)
      if (band !== undefined) {
        const isOnlyBand = context.unitColumns?.filter((each) => bandOf.has(each)).length === 1
        return pixelSlabs({ store, image, band, unwritten, exclusive, isOnlyBand }, box, context)
      }
      if (placement === null) throw new RangeError(`no array ${name}`)
      return coordinateSlabs(placement, name, box)
    },
  }
  return { file, image }
}

function bandArrays(image: Image, nodata: number | bigint | null): readonly StoredArray[] {
  const { samples, element, bits, width, height } = image
  const ofAll = {
    element,
    dimensions: dimensionsOf(image),
    chunk: chunkOf(image),
    isAtomic: !isPlain(image),
    storedBytes: Math.ceil((width * height * bits) / 8),
    attributes: [],
    meaning: nodata === null ? [] : [fillAttribute(nodata, element)],
  }
  return Array.from({ length: samples }, (_, band) => ({ name: `band.${band}`, ...ofAll }))
}
