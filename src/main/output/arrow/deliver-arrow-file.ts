import { ServiceError } from '../../../plan/errors.ts'
import { freeMemory } from '../../../plan/free-memory.ts'
import { payloadAs } from '../../../plan/task/part.ts'
import { type Deliver, dictionaryChanges, type RowsDelivery } from '../deliver.ts'
import { deliverFile } from '../deliver-file.ts'
import type { TempFile } from '../temp/temp-file.ts'
import { type Block, blockOf, FILE_MAGIC, fileTail } from './arrow-file.ts'
import { schemaMessage } from './arrow-schema.ts'

/** The answer as an Arrow IPC file, which is complete before it is sent: a client reads its end first. */
export const deliverArrowFile: Deliver = (delivery, files) =>
  deliverFile(delivery, files, (file) => writeArrowFile(file, delivery))

async function writeArrowFile(file: TempFile, { schema, parts, figures }: RowsDelivery): Promise<void> {
  const message = schemaMessage(schema)
  const changed = dictionaryChanges()
  const dictionaries = new Map<number, Block>()
  const batches: Block[] = []
  const append = async (bytes: ArrayBuffer): Promise<Block> => {
    const message = Buffer.from(bytes)
    const block = blockOf(file.size, message)
    await file.write(message)
    return block
  }
  await file.write(FILE_MAGIC)
  await file.write(message)
  for await (const part of parts) {
    const batch = payloadAs(part, 'arrow')
    for (const { id, bytes } of changed(batch.dictionaries)) {
      if (dictionaries.has(id)) throw replaced(schema.fields[id]?.name)
      dictionaries.set(id, await append(bytes))
    }
    batches.push(await append(batch.bytes))
    freeMemory(Buffer.from(batch.bytes))
    figures.rows += part.rows
  }
  await file.write(fileTail(message, [...dictionaries.values()], batches))
}

function replaced(column = ''): ServiceError {
  return new ServiceError(
    'not_supported',
    `output.format: the dictionary of column ${JSON.stringify(column)} changes from batch to batch, which an Arrow file cannot hold; leave the output out for a stream, or use csv`,
  )
}
