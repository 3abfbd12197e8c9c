import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { OPENAPI_FILE } from '../../scripts/openapi-file.ts'
import { runPython, skipWithout } from '../support/python.ts'

const FILE = join(import.meta.dirname, '../..', OPENAPI_FILE)
const read = () => JSON.parse(readFileSync(FILE, 'utf8'))

t.test('@readme/openapi-parser', async (t) => {
  const { valid, ...rest } = await validate(read())
  t.ok(valid, JSON.stringify(rest))
})

t.test('@seriousme/openapi-schema-validator', async (t) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(read())
  t.ok(valid, JSON.stringify(errors))
  t.equal(validator.version, '3.1')
})

t.test('openapi-spec-validator', { skip: skipWithout('openapi_spec_validator') }, async (t) => {
  const program = `
import json, sys
from openapi_spec_validator import OpenAPIV31SpecValidator
document = json.load(open(sys.argv[1]))
for error in OpenAPIV31SpecValidator(document).iter_errors():
    print(list(error.absolute_path), error.message[:200])
`
  t.equal(await runPython(program, [FILE]), '')
})
