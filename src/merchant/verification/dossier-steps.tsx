// The steps in which the owner fills in the dossier. Components depend only on their properties.
import { ErrorSummary, FileField, SelectField, TextField } from '../../kernel/web/form.tsx'
import { businessKinds, type DetailName, detailLengthMax } from './details.ts'
import {
  type Document,
  type DocumentKind,
  type DocumentProblems,
  documentBytesMax,
  documentField,
  documentKinds,
  documentsMax,
} from './document.ts'
import { documentsOf } from './dossier.ts'
import type { OpenedDossier } from './open-verification.ts'

type Values<Name extends string> = Readonly<Partial<Record<Name, string>>>

type DetailsProps = {
  opened: OpenedDossier
  values: Values<DetailName>
  problems: Values<DetailName>
}

export function DetailsStep({ opened, values, problems }: DetailsProps) {
  const line = (name: Exclude<DetailName, 'kind'>) => ({
    name,
    value: values[name] ?? '',
    error: problems[name],
    lengthMax: detailLengthMax(name),
  })
  return (
    <form method="post" action={`${opened.path}/details`} novalidate>
      <ErrorSummary problems={problems} />
      <TextField
        {...line('legalName')}
        label="Registered name"
        hint="As it appears in the company register, not the trading name."
        autocomplete="organization"
      />
      <SelectField
        name="kind"
        label="Kind of business"
        value={values.kind ?? ''}
        error={problems.kind}
        choices={businessKinds}
      />
      <TextField
        {...line('registrationNumber')}
        label="Registration number"
        hint="Leave this empty if you are a sole trader without one."
        isOptional
      />
      <TextField {...line('street')} label="Street and number" autocomplete="street-address" />
      <TextField
        {...line('city')}
        label="Town or city"
        hint={`Country: ${opened.country}`}
        autocomplete="address-level2"
      />
      <TextField
        {...line('activity')}
        label="What the business does"
        hint="For example: sells furniture in a shop and online."
      />
      <button class="btn btn-primary" type="submit">
        Save and continue
      </button>
    </form>
  )
}

type DocumentsProps = { opened: OpenedDossier; problems: DocumentProblems }

const accepted = 'application/pdf,image/png,image/jpeg'
const uploadForm = 'upload'
const continueQuery = 'then=continue'

// Whether the button was Continue. A form of files has no other fields.
export function isContinuing(url: URL): boolean {
  return url.search === `?${continueQuery}`
}

// Each document has its own form with a Remove button. Forms can't be nested, so the upload form is
// separate and its fields name it.
export function DocumentsStep({ opened, problems }: DocumentsProps) {
  const count = opened.dossier.documents.length
  const named = Object.entries(problems).map(([kind, text]) => [documentField(kind), text])
  return (
    <>
      <ErrorSummary problems={Object.fromEntries(named)} />
      <p>
        PDF, PNG or JPEG, at most {documentBytesMax / 1024 / 1024} MB each. Photos are fine if
        everything is readable. Choose one file of each kind, then continue: the chosen files are
        uploaded. For a second file of a kind, such as the back of a card, upload the first one and
        choose again. {count} of at most {documentsMax} uploaded.
      </p>
      {Object.entries(documentKinds).map(([name, { title, hint }]) => {
        const kind = name as DocumentKind
        return (
          <section key={kind} class="card mb-3" aria-labelledby={`title-${kind}`}>
            <div class="card-body">
              <h2 class="card-title" id={`title-${kind}`}>
                {title}
              </h2>
              <DocumentList opened={opened} documents={documentsOf(opened.dossier, kind)} />
              <FileField
                name={documentField(kind)}
                form={uploadForm}
                label={`File: ${title.toLowerCase()}`}
                hint={hint}
                accept={accepted}
                error={problems[kind]}
              />
            </div>
          </section>
        )
      })}
      <form
        id={uploadForm}
        class="mb-3"
        method="post"
        encType="multipart/form-data"
        action={`${opened.path}/documents`}
      >
        <p class="actions mt-4">
          <button
            class="btn btn-primary"
            type="submit"
            formAction={`${opened.path}/documents?${continueQuery}`}
          >
            Continue
          </button>
          <button class="btn" type="submit">
            Upload and stay here
          </button>
          <a href={`${opened.path}/details`}>Back</a>
        </p>
      </form>
    </>
  )
}

type DocumentListProps = { opened: OpenedDossier; documents: readonly Document[] }

function DocumentList({ opened, documents }: DocumentListProps) {
  if (documents.length === 0) return null
  return (
    <ul class="item-list">
      {documents.map(({ id, fileName, byteCount }) => (
        <li key={id}>
          <span>
            {fileName} <span class="quiet">{sizeText(byteCount)}</span>
          </span>
          <form method="post" action={`${opened.path}/remove-document`}>
            <input type="hidden" name="id" value={id} />
            <button class="btn btn-sm" type="submit" aria-label={`Remove ${fileName}`}>
              Remove
            </button>
          </form>
        </li>
      ))}
    </ul>
  )
}

function sizeText(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1024))
  return kilobytes < 1024 ? `${kilobytes} KB` : `${Math.round(kilobytes / 102.4) / 10} MB`
}
