import type { DataType } from '../../../plan/types/schema.ts'
import { template } from '../columns.ts'
import type { Instance } from '../instance.ts'
import { typeCode } from '../type-code.ts'
import { collect } from './assembly.ts'
import type { Grid, GridBlock, GridVariable } from './grid.ts'

export function createGrid(
  instance: Instance,
  dimensions: readonly DataType[],
  variables: readonly GridVariable[],
): Grid {
  const handle = create(instance, dimensions, variables)
  const give = ({ length, fill }: GridBlock): void => {
    instance.call('arguments', length)
    fill(instance.bytes(instance.result(0), length))
  }
  return {
    spool(columns, rows) {
      instance.setArguments(new Uint8Array(Int32Array.from(columns).buffer))
      instance.call('grid_spool', handle, rows)
      return instance.bytes(instance.result(0), instance.result(1))
    },
    size(dimension) {
      instance.call('grid_size', handle, dimension)
      return instance.result(0)
    },
    sort(dimension) {
      const unit = instance.call('grid_sort', handle, dimension)
      return { values: instance.copy(instance.result(0), instance.result(1)), unit }
    },
    unit: (variable) => instance.call('grid_unit', handle, variable),
    arrange: (split, rows) => instance.call('grid_arrange', handle, split, rows),
    distribute(block) {
      give(block)
      instance.call('grid_distribute', handle, block.rows)
      const blocks = instance.bytes(instance.result(0), instance.result(1))
      return { blocks, counts: new Uint32Array(instance.copy(instance.result(2), 4 * instance.result(3))) }
    },
    begin(elements) {
      instance.call('grid_begin', handle, elements)
    },
    put(block, isDistributed) {
      give(block)
      instance.call('grid_put', handle, block.rows, Number(isDistributed))
    },
    values(variable) {
      instance.call('grid_values', handle, variable)
      return {
        bytes: instance.bytes(instance.result(0), instance.result(1)),
        empty: instance.result(2),
        holdsFill: instance.result(3) === 1,
      }
    },
    free() {
      if (!instance.isDead()) instance.call('grid_free', handle)
    },
  }
}

function create(
  instance: Instance,
  dimensions: readonly DataType[],
  variables: readonly GridVariable[],
): number {
  const types = [...dimensions, ...variables.map(({ type }) => type)]
  const templates = collect(instance, types, (type) => template(instance, type))
  // The hash seed is random, so that nobody can make a file whose values all collide.
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  try {
    const fills = variables.map(({ fill }) => [...fillWords(fill)])
    const words = types.flatMap((type, index) => [
      templates[index] ?? 0,
      ...typeCode(type),
      ...(fills[index - dimensions.length] ?? []),
    ])
    instance.setArguments(new Uint8Array(Int32Array.from(words).buffer))
    return instance.call('grid_new', dimensions.length, seed)
  } finally {
    if (!instance.isDead()) for (const column of templates) instance.call('column_free', column)
  }
}

function fillWords(fill: Uint8Array): Uint32Array {
  const words = new Uint32Array(2)
  new Uint8Array(words.buffer).set(fill)
  return words
}
