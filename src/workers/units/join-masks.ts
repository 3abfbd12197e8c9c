import type { Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'

/** The mask of rows for which both are true, or one is. Frees both operands, or only the second if it fails. */
export function joinMasks(core: Core, how: 'and' | 'or', left: Mask, right: Mask): Mask {
  try {
    const mask = core[how](left, right)
    core.freeMask(left)
    return mask
  } finally {
    core.freeMask(right)
  }
}
