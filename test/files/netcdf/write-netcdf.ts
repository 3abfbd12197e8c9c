import { closeSync, openSync } from 'node:fs'
import type { Table } from 'apache-arrow'
import { netcdfPlan } from '../../../src/main/output/files/netcdf/netcdf-plan.ts'
import { createArrayProvider } from '../../../src/workers/formats/arrays/array-provider.ts'
import type { ReadContext } from '../../../src/workers/formats/provider.ts'
import { netcdf } from '../../../src/workers/formats/providers.ts'
import { openFileStore } from '../../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../../src/workers/store/stopwatch.ts'
import { openNetcdf } from '../../../src/workers/writers/netcdf/open-netcdf.ts'
import { fileRef } from '../../formats/source.ts'
import { readAll, type Value } from '../../formats/values.ts'
import { partsOf } from '../parts.ts'

/** Writes a table as a flat file, of parts that are cut as `partsOf` does. Throws what the plan and the writer throw. */
export async function writeNetcdf(
  path: string,
  table: Table,
  cuts: readonly number[],
  context: ReadContext,
  compression = 0,
): Promise<void> {
  const { fields, parts } = partsOf(table, cuts, context)
  const plan = netcdfPlan({ fields, metadata: {} }, { compression })
  const descriptor = openSync(path, 'w+')
  try {
    const writer = await openNetcdf(plan, fields, { descriptor })
    try {
      for (const part of parts) writer.write([part], context)
      while (!writer.finish(context));
    } finally {
      writer.close()
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The columns of a NetCDF-4 file, as the service reads them. */
export async function readNetcdf(
  location: string,
  context: ReadContext,
): Promise<{ readonly names: readonly string[]; readonly values: readonly (readonly Value[])[] }> {
  const file = fileRef(location)
  using store = openFileStore(file, createStopwatch())
  const opened = createArrayProvider(netcdf, { dimensions: null, isNanValue: true }).open(store, context)
  return {
    names: opened.schema.fields.map(({ name }) => name),
    values: readAll(opened, store, context),
  }
}
