import { toast } from './toast.ts'

export function showDialogLoadError(): void {
  toast.error('The dialog could not be opened. Please check your connection.')
}
