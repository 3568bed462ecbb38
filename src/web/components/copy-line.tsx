// An address to copy. The script shows the button if copying works.
export function CopyLine({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <div class="copy-line">
      <label class="visually-hidden" for={id}>
        {label}
      </label>
      <input class="form-control" id={id} value={text} readOnly />
      <button type="button" class="btn" data-copy={id} hidden aria-label={`Copy: ${label}`}>
        Copy
      </button>
      <span class="visually-hidden" role="status" />
    </div>
  )
}
