// Where the editor takes files. With JavaScript a file can be dropped anywhere on the form, and is
// uploaded at once.
import type { Attachment } from '../../books/attachments/attachment.ts'
import { acceptedFiles, fileField } from '../documents/attachment-forms.tsx'
import { stepField, waitingField } from './file-step.ts'

type FieldProps = {
  files: readonly Attachment[]
  // Whether they wait for the first save.
  areWaiting: boolean
  problem: string | undefined
}

export function FileFields({ files, areWaiting, problem }: FieldProps) {
  return (
    <div class="card mb-3 file-drop" data-file-drop>
      <div class="card-body">
        <label class="form-label" for={fileField}>
          {files.length === 0 ? 'File of the supplier' : 'Another file'}
        </label>
        <p class="form-hint" id="file-hint">
          <span class="scripted">Drop it here, or choose it.</span> You see it beside the fields. A
          PDF, PNG or JPEG of at most 5 MB.
        </p>
        <div class="file-choice">
          <input
            class={`form-control${problem ? ' is-invalid' : ''}`}
            type="file"
            id={fileField}
            name={fileField}
            accept={acceptedFiles}
            aria-describedby={problem ? `${fileField}-error file-hint` : 'file-hint'}
            {...(problem && { 'aria-invalid': true })}
          />
          <button
            class="btn"
            type="submit"
            name={stepField}
            value="attach"
            formEncType="multipart/form-data"
          >
            Attach
          </button>
        </div>
        <p class="field-error" id={`${fileField}-error`} data-file-error hidden={!problem}>
          {problem}
        </p>
        {files.length > 0 && (
          <ul class="file-list mt-3 mb-0">
            {files.map(({ id, fileName }) => (
              <li key={id}>
                {areWaiting && <input type="hidden" name={waitingField} value={id} />}
                <span>{fileName}</span>
                <button class="btn" type="submit" name={stepField} value={id}>
                  Remove<span class="visually-hidden"> {fileName}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
