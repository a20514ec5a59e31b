/** One file of an export. */
export interface ExportedFile {
  /** Its name, in the folder of the export. */
  name: string;
  text: string;
}
