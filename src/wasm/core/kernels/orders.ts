import type { Column, Mask, Order } from '../column.ts'
import type { Core, OrderKey } from '../core.ts'
import type { Instance } from '../instance.ts'
import { typeCode } from '../type-code.ts'

type Orders = Pick<Core, 'sort' | 'firstRows' | 'orderRows' | 'take' | 'freeOrder' | 'changes'>

/** The flags of `src/abi/groups.rs`, `order_new`. */
const DESCENDING = 1
const NULLS_FIRST = 2

export function createOrders(instance: Instance): Orders {
  // The hash seed is random, so that nobody can make a file whose values all collide.
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  const setWords = (words: readonly number[]): void =>
    instance.setArguments(new Uint8Array(Int32Array.from(words).buffer))
  return {
    sort(keys, rows, mask, limit) {
      setWords(keys.flatMap(wordsOf))
      return instance.call('order_new', rows, mask ?? 0, Math.min(limit, 0xffff_ffff)) as Order
    },
    firstRows(keys, order, rows, mask, { most, isNumbered }) {
      setWords([
        ...keys.flatMap(({ column, type }) => [column, ...typeCode(type), 0]),
        ...order.flatMap(wordsOf),
      ])
      const count = Math.max(1, Math.min(most, rows))
      const first = instance.call(
        'order_firsts',
        keys.length,
        rows,
        mask ?? 0,
        count,
        seed,
        Number(isNumbered),
      )
      return { mask: first as Mask, numbers: isNumbered ? (instance.result(0) as Column) : null }
    },
    orderRows(order) {
      instance.call('order_rows', order)
      return instance.result(0)
    },
    take: (column, order, from, to) => instance.call('order_take', order, column, from, to) as Column,
    changes(keys, rows) {
      setWords(keys.flatMap(({ column, type, bits }) => [column, ...typeCode(type), bits]))
      instance.call('order_changes', rows)
      return new Uint8Array(instance.copy(instance.result(0), rows))
    },
    freeOrder(order) {
      if (!instance.isDead()) instance.call('order_free', order)
    },
  }
}

function wordsOf({ column, type, isDescending, areNullsFirst }: OrderKey): readonly number[] {
  const flags = (isDescending ? DESCENDING : 0) | (areNullsFirst ? NULLS_FIRST : 0)
  return [column, ...typeCode(type), flags]
}
