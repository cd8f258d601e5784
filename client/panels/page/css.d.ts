// Style sheets are imported for the build only, which writes them to a separate file.
declare module '*.css';
