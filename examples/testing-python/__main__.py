"""Program that `pulumi up` runs."""

from program import program

program()
