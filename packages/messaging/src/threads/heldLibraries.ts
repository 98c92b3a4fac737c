/*
 * Loads the native library of the render threads in the thread that starts them. The system unloads a library with the last thread that
 * has it, and when that thread was ended inside of it the whole process ends with a segmentation fault.
 */
import "@css-inline/css-inline";
