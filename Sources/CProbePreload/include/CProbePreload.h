// The probe as a library to be preloaded. It exports the runtime's functions that it stands in front of, and those
// of the C library by which a process ends or becomes another program; nothing here is called by name.
