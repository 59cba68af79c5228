export { strict as default } from 'assert/';
