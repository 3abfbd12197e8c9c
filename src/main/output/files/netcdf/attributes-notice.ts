import type { FilePlan } from '../../../../plan/output/file-plan.ts'
import type { Plan } from '../../../../plan/plan.ts'
import { printFew } from '../../../../plan/print-few.ts'

/**
 * Tells that columns of attributes are left out of a NetCDF file if the rows have several values of them: an attribute has one. Null: each has
 * one, since the rows come from one file, or there are none.
 */
export function attributesNotice(file: FilePlan | null, plan: Plan): string | null {
  if (file === null || !('attributes' in file) || file.attributes.length === 0 || isOfOneFile(plan))
    return null
  const names = file.attributes.map(({ column }) => JSON.stringify(plan.output.fields[column]?.name))
  return `columns of attributes become attributes of the NetCDF file if all rows have one value, and are left out if not: ${printFew(names)}`
}

function isOfOneFile(plan: Plan): boolean {
  if (plan.engine === 'core') return plan.files.length === 1
  const [scan, ...others] = plan.scans
  return others.length === 0 && scan?.files.length === 1
}
