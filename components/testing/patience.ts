import { configure } from '@testing-library/react';

// What comes is waited for longer than a busy machine needs; what never comes still fails its test.
configure({ asyncUtilTimeout: 10_000 });
