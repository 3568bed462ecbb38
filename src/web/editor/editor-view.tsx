// The editor as a form. It is complete without JavaScript: the buttons of lines submit the form,
// which comes back with everything that was typed. The island takes over the same fields.
import type { ComponentChildren } from 'preact'
import type { EditorFacts } from '../../books/documents/get-editor-facts.ts'
import { currencyCodes } from '../../kernel/money/currency.ts'
import { ErrorSummary, TextField } from '../../kernel/web/form.tsx'
import type { Draft } from '../shell/define-page.ts'
import { tokenField } from '../shell/token-field.ts'
import { EditorLine } from './editor-line.tsx'
import { computeState, type EditorState, type HeadField } from './editor-state.ts'
import { EditorTotals } from './editor-totals.tsx'
import { headDefaults } from './head-defaults.ts'
import { rateOfDay, rateText } from './known-rate.ts'
import { readLookups } from './lookups.ts'
import { PickField } from './pick-field.tsx'

export type EditorProps = {
  draft: Draft
  problems: Readonly<Record<string, string>>
  state: EditorState
  facts: EditorFacts
  // The fields of the kind, such as a version.
  hidden: Readonly<Record<string, string>>
  contactLabel: string
  untilLabel: string
  hasRate: boolean
  // Where the browser saves the draft while the person types.
  autosaveHref: string | undefined
  // Where the pickers look up what the page does not know.
  choicesHref: string
  cancelHref: string
  // Such as another person's version.
  notice?: ComponentChildren
  // Where files are taken.
  files?: ComponentChildren
  // More fields, before those of the document.
  moreFields?: ComponentChildren
  // False for a template, whose documents each have their own days.
  hasDates?: boolean
  saveLabel?: string
  // More ways to save.
  buttons?: ComponentChildren
}

export function Editor(props: EditorProps) {
  const { draft, problems, facts, hidden, autosaveHref } = props
  const lookups = readLookups(facts)
  return (
    <form
      class="editor"
      method="post"
      data-turbo="false"
      data-editor={JSON.stringify(facts)}
      data-choices={props.choicesHref}
      {...(autosaveHref && { 'data-autosave': autosaveHref })}
    >
      {/* Enter saves: the first button of a form is the one that it presses. */}
      <button class="visually-hidden" type="submit" tabIndex={-1} aria-hidden="true">
        Save
      </button>
      <input type="hidden" name={tokenField} value={draft.token} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {props.notice}
      {draft.refusal && (
        <div class="note note-bad mb-3" role="alert" tabIndex={-1} autofocus>
          {draft.refusal}
        </div>
      )}
      <ErrorSummary problems={problems} />
      {props.files}
      {props.moreFields}
      <HeadFields {...props} />
      <Lines {...props} />
      <Foot {...props} />
      <Choices id="contacts" labels={lookups.contacts.labels} />
      <Choices id="items" labels={lookups.items.labels} />
      <Choices id="accounts" labels={lookups.accounts.labels} />
      <Choices id="tax-codes" labels={lookups.taxCodes.labels} />
      <Choices id="currencies" labels={currencyCodes} />
    </form>
  )
}

function Lines({ state, facts, problems }: EditorProps) {
  const computed = computeState(state, facts)
  const lookups = readLookups(facts)
  return (
    <div class="card editor-lines">
      <div data-lines>
        {state.lines.map((line, index) => (
          <EditorLine
            key={index}
            index={index}
            line={line}
            problems={problems}
            lookups={lookups}
            read={computed.lines[index]}
            price={computed.price.lines[index]}
            currency={computed.currency}
          />
        ))}
      </div>
      <template data-line-template>
        <EditorLine
          index="N"
          line={undefined}
          problems={{}}
          lookups={lookups}
          read={undefined}
          price={undefined}
          currency={computed.currency}
        />
      </template>
      <div class="editor-foot">
        <div class="actions">
          <button class="btn" type="submit" name="step" value="add">
            Add line
          </button>
          <button class="btn" type="submit" name="step" value="refresh" data-refresh>
            Update totals
          </button>
        </div>
        <EditorTotals computed={computed} facts={facts} state={state} />
      </div>
    </div>
  )
}

function Foot({ state, problems, buttons, cancelHref, saveLabel = 'Save draft' }: EditorProps) {
  return (
    <>
      <div class="mb-3">
        <label class="form-label" for="notes">
          Notes
        </label>
        <p class="form-hint">Printed on the document.</p>
        <textarea
          class={`form-control${problems.notes ? ' is-invalid' : ''}`}
          id="notes"
          name="notes"
          rows={3}
          {...(problems.notes && { 'aria-invalid': true, 'aria-describedby': 'notes-error' })}
        >
          {state.notes}
        </textarea>
        {problems.notes && (
          <p class="field-error" id="notes-error">
            {problems.notes}
          </p>
        )}
      </div>
      <div class="actions">
        <button class="btn btn-primary" type="submit">
          {saveLabel}
        </button>
        {buttons}
        <a href={cancelHref}>Cancel</a>
        <span class="quiet" role="status" data-save-status />
      </div>
    </>
  )
}

// Without JavaScript, the browser offers what matches while one types. The pickers of the island
// replace it, and know what is not on the page.
function Choices({ id, labels }: { id: string; labels: readonly string[] }) {
  return (
    <datalist id={`choices-${id}`}>
      {labels.map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  )
}

function HeadFields({ state, problems, facts, hasDates = true, ...props }: EditorProps) {
  const { currency, origins } = headDefaults(state, facts)
  const used = computeState(state, facts).currency
  const isForeign = used !== facts.baseCurrency
  const field = (name: HeadField) => ({ name, value: state[name], error: problems[name] })
  return (
    <div class="card mb-3">
      <div class="card-body editor-head">
        <PickField {...field('contact')} label={props.contactLabel} list="contacts" />
        {hasDates && (
          <>
            <TextField {...field('date')} label="Date" type="date" />
            <PickField
              {...field('until')}
              label={props.untilLabel}
              type="date"
              origin={origins.until}
              isOptional
            />
          </>
        )}
        <TextField {...field('reference')} label="Reference" isOptional />
        <PickField
          {...field('currency')}
          label="Currency"
          list="currencies"
          placeholder={currency}
          origin={origins.currency}
          isOptional
        />
        {props.hasRate && (
          <div data-rate hidden={!isForeign && state.fxRate === ''}>
            <TextField
              {...field('fxRate')}
              label={`${facts.baseCurrency} for one unit`}
              hint="Empty: the rate of the day."
              placeholder={isForeign ? rateText(rateOfDay(facts, used, state)) : undefined}
              inputMode="decimal"
              isOptional
            />
          </div>
        )}
      </div>
    </div>
  )
}
