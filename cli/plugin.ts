#!/usr/bin/env node
// Must come first: only modules that are loaded later are cached.
import "./compile-cache";
import "./plugin-main";
