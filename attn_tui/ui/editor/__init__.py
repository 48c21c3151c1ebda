"""The spreadsheet of vectors."""
