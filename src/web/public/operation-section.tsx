// One operation of the API: how to call it, its input and its responses.
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '../../kernel/http/openapi.ts'
import { CodeBlock, Prose } from '../../kernel/web/components.tsx'
import { curlExample, exampleAnswer } from './example.ts'
import { FieldList } from './field-list.tsx'
import { createResolve, fieldsOf, toField } from './json-schema.ts'

export type Operation = { method: string; path: string; operation: OpenApiOperation }

type SectionProps = { document: OpenApiDocument; entry: Operation; placeholderKey: string }

export function OperationSection({ document, entry, placeholderKey }: SectionProps) {
  const { method, path, operation } = entry
  const { operationId, parameters, requestBody } = operation
  const resolve = createResolve(document)
  const body = requestBody?.content['application/json'].schema
  const failures = failuresIn(operation).map(([status]) => status)
  return (
    <section class="operation" aria-labelledby={operationId}>
      <h3 id={operationId}>
        <a class="anchor" href={`#${operationId}`}>
          {operation.summary}
        </a>
      </h3>
      <p class="call">
        <span class={`method method-${method}`}>{method.toUpperCase()}</span> <code>{path}</code>
      </p>
      {operation.description && (
        <p>
          <Prose text={operation.description} />
        </p>
      )}
      <Scopes operation={operation} />
      <Parameters parameters={parameters} document={document} />
      {body && (
        <>
          <h4>Body</h4>
          <FieldList fields={fieldsOf(resolve, body)} of="request" />
        </>
      )}
      <CodeBlock
        id={`${operationId}-curl`}
        label="Example request"
        text={curlExample(document, method, path, operation, placeholderKey)}
      />
      <Answers document={document} operation={operation} />
      {failures.length > 0 && (
        <p class="quiet">
          Possible errors: {failures.join(', ')}. See <a href="#errors">Errors</a>.
        </p>
      )}
    </section>
  )
}

function Scopes({ operation }: { operation: OpenApiOperation }) {
  const scopes = operation['x-scopes']
  const bodyScopes = operation['x-body-scopes'] ?? []
  if (operation.security?.length === 0) return <p class="quiet">Needs no key.</p>
  return (
    <p class="quiet">
      {scopes.length === 0 ? 'Any key can call it.' : 'The key needs '}
      {scopes.map((scope, index) => (
        <span key={scope}>
          {index > 0 && ' or '}
          <code>{scope}</code>
        </span>
      ))}
      {scopes.length > 0 && '.'}
      {bodyScopes.map(({ scope, when }) => (
        <span key={scope}>
          {' '}
          It also needs <code>{scope}</code> when <Prose text={when} />.
        </span>
      ))}
    </p>
  )
}

const places: Record<OpenApiParameter['in'], string> = {
  path: 'In the path',
  query: 'In the query',
  header: 'Headers',
}

type ParametersProps = { parameters: OpenApiParameter[]; document: OpenApiDocument }

function Parameters({ parameters, document }: ParametersProps) {
  const resolve = createResolve(document)
  return (
    <>
      {Object.entries(places).map(([place, title]) => {
        const fields = parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema, required, description }) => ({
            ...toField(resolve, name, schema, required),
            ...(description ? { description } : {}),
          }))
        if (fields.length === 0) return null
        return (
          <div key={place}>
            <h4>{title}</h4>
            <FieldList fields={fields} of="request" />
          </div>
        )
      })}
    </>
  )
}

type AnswersProps = { document: OpenApiDocument; operation: OpenApiOperation }

function Answers({ document, operation }: AnswersProps) {
  const successes = Object.entries(operation.responses).filter(([status]) => !isFailure(status))
  return (
    <>
      {successes.map(([status, { description, content }]) => {
        const schema = Object.values(content)[0]?.schema
        return (
          <div key={status}>
            <h4>Response {status}</h4>
            <p>
              <Prose text={description} />
            </p>
            {schema && (
              <>
                <details>
                  <summary>Response fields</summary>
                  <FieldList fields={fieldsOf(createResolve(document), schema)} of="answer" />
                </details>
                <CodeBlock
                  id={`${operation.operationId}-${status}`}
                  label="Example response"
                  text={exampleAnswer(document, schema)}
                />
              </>
            )}
          </div>
        )
      })}
    </>
  )
}

const isFailure = (status: string) => status >= '400'
export const failuresIn = ({ responses }: OpenApiOperation) =>
  Object.entries(responses).filter(([status]) => isFailure(status))
