import { ServiceError } from '../../../plan/errors.ts'
import { productOf } from '../../../plan/product-of.ts'
import type { Column } from '../column.ts'
import type { Instance } from '../instance.ts'
import { addSlabPart } from './add-slab-part.ts'
import type { BoxBlock, BoxSlab, BoxSpec, ElementSpec } from './box-column.ts'
import { elementWidth, specBytes, storedWidth } from './box-spec.ts'
import { createFewElements, type FewElements } from './few-elements.ts'
import { type BoxPart, slabParts } from './slab-parts.ts'
import { columnOfWholeSlab } from './whole-slab.ts'

/**
 * Makes a column of slabs, which together have each element of the box. Only the bytes that are needed are copied, before the
 * next slab is asked for. Throws `unreadable_file` for slabs that have fewer bytes than they say, or leave elements out.
 */
export function makeBoxColumn(instance: Instance, spec: BoxSpec, slabs: Iterable<BoxSlab>): Column {
  let whole: Column | null = null
  let box: number | null = null
  let part: BoxPart | null = null
  let few: FewElements | null = null
  try {
    for (const slab of slabs) {
      // After a slab with all elements there are no others, but its reader has to come to its end.
      if (whole !== null) continue
      whole = box === null ? columnOfWholeSlab(instance, spec, slab) : null
      if (whole !== null) continue
      box ??= newBox(instance, spec)
      part ??= partOf(spec, 0)
      few ??= createFewElements(instance, box)
      addSlab(instance, box, slab, part, few)
    }
    if (whole !== null) return whole
    few?.add()
    const finished = box ?? newBox(instance, spec)
    box = null
    return instance.call('box_finish', finished) as Column
  } catch (error) {
    if (!instance.isDead()) {
      if (whole !== null) instance.call('column_free', whole)
      if (box !== null) instance.call('box_free', box)
    }
    throw error
  }
}

/**
 * The same of boxes one after the other, each of which has an element for each of its rows. `spec` says what they have in common. Together they
 * have `rows` rows.
 */
export function makeBlocksColumn(
  instance: Instance,
  spec: Omit<BoxSpec, 'shape' | 'origin'>,
  rows: number,
  blocks: Iterable<BoxBlock>,
): Column {
  const box = newBox(instance, { ...spec, shape: [rows], axes: [0], origin: [0] })
  const perRow = spec.decoding.kind === 'joined' ? spec.decoding.length : 1
  try {
    const few = createFewElements(instance, box)
    let before = 0
    for (const { shape, origin, slabs } of blocks) {
      const part = partOf({ ...spec, shape, origin }, before * perRow)
      for (const slab of slabs) addSlab(instance, box, slab, part, few)
      before += productOf(shape)
    }
    few.add()
  } catch (error) {
    if (!instance.isDead()) instance.call('box_free', box)
    throw error
  }
  return instance.call('box_finish', box) as Column
}

/**
 * Makes a column of `rows` elements, which are numbers or characters, or texts of as many characters each. `write` writes them, one after the other, to the memory that it gets, which has no other
 * bytes. It must not call the core.
 */
export function makeElementsColumn(
  instance: Instance,
  spec: ElementSpec,
  rows: number,
  isBigEndian: boolean,
  write: (room: Buffer) => void,
): Column {
  instance.setArguments(specBytes({ ...spec, shape: [rows], axes: [0], origin: [0] }))
  const box = instance.call('box_cells')
  try {
    const bytes = rows * storedWidth(spec)
    const { buffer, byteOffset } = instance.bytes(instance.result(0), bytes)
    write(Buffer.from(buffer, byteOffset, bytes))
    instance.call('box_written', box, Number(isBigEndian))
  } catch (error) {
    if (!instance.isDead()) instance.call('box_free', box)
    throw error
  }
  return instance.call('box_finish', box) as Column
}

/** Adds the elements of a slab that are in a part of a box. */
function addSlab(instance: Instance, box: number, slab: BoxSlab, part: BoxPart, few: FewElements): void {
  if (slab.origin.length !== part.extent.length || slab.extent.length !== part.extent.length)
    throw new ServiceError('internal', 'a slab of another rank than its array')
  if (few.take(slab, part)) return
  for (const slabPart of slabParts(slab, part)) addSlabPart(instance, box, slabPart)
}

function newBox(instance: Instance, spec: BoxSpec): number {
  instance.setArguments(specBytes(spec))
  return instance.call('box_new')
}

/** The part of the array that is in the box, whose first element is in this place of the column. */
function partOf({ axes, shape, origin, decoding, element }: BoxSpec, start: number): BoxPart {
  const joined = decoding.kind === 'joined' ? [decoding.length] : []
  const extent = [...axes.map((axis) => (axis === null ? 1 : (shape[axis] ?? 0))), ...joined]
  if (origin.length !== extent.length)
    throw new ServiceError('internal', 'a box of another rank than its array')
  const strides = axes.map((axis) => {
    if (axis === null) return 1
    const inner = axes.flatMap((other) => (other !== null && other > axis ? (shape[other] ?? 0) : []))
    return productOf([...inner, ...joined])
  })
  return {
    origin,
    extent,
    width: elementWidth(element),
    start,
    strides: [...strides, ...joined.map(() => 1)],
  }
}
