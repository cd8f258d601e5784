// Style sheets are imported for the build alone, which makes a file of its own of them.
declare module '*.css';
