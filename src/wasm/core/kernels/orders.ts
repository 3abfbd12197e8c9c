import type { Column, Order } from '../column.ts'
import type { Core } from '../core.ts'
import type { Instance } from '../instance.ts'
import { typeCode } from '../type-code.ts'

type Orders = Pick<Core, 'sort' | 'orderRows' | 'take' | 'freeOrder' | 'changes'>

/** The flags of `src/abi/groups.rs`, `order_new`. */
const DESCENDING = 1
const NULLS_FIRST = 2

export function createOrders(instance: Instance): Orders {
  return {
    sort(keys, rows, mask, limit) {
      const words = keys.flatMap(({ column, type, isDescending, areNullsFirst }) => [
        column,
        ...typeCode(type),
        (isDescending ? DESCENDING : 0) | (areNullsFirst ? NULLS_FIRST : 0),
      ])
      instance.setArguments(new Uint8Array(Int32Array.from(words).buffer))
      return instance.call('order_new', rows, mask ?? 0, Math.min(limit, 0xffff_ffff)) as Order
    },
    orderRows(order) {
      instance.call('order_rows', order)
      return instance.result(0)
    },
    take: (column, order, from, to) => instance.call('order_take', order, column, from, to) as Column,
    changes(keys, rows) {
      const words = keys.flatMap(({ column, type, bits }) => [column, ...typeCode(type), bits])
      instance.setArguments(new Uint8Array(Int32Array.from(words).buffer))
      instance.call('order_changes', rows)
      return new Uint8Array(instance.copy(instance.result(0), rows))
    },
    freeOrder(order) {
      if (!instance.isDead()) instance.call('order_free', order)
    },
  }
}
